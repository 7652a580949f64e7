#!/usr/bin/env bash
# Builds Occuscope.app, and on a Mac the .dmg.
#
#   packaging/macos.sh                    builds for this Mac's processor and for the other, joined into one program
#   packaging/macos.sh --program FILE     bundles a program that was built before (works on Linux too, without the .dmg)
#
# Last steps that need an Apple developer account, by hand or in a release job:
#   codesign --deep --options runtime --timestamp --sign "Developer ID Application: NAME" Occuscope.app    (before the .dmg is made)
#   xcrun notarytool submit occuscope-VERSION.dmg --keychain-profile PROFILE --wait
#   xcrun stapler staple occuscope-VERSION.dmg
# Without them, the first start is by Control-click and Open.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/build_flags.sh"
cd "$root"
app=$out/Occuscope.app
rm -rf "$app"
mkdir -p "$app/Contents/MacOS" "$app/Contents/Resources"
if [ "${1:-}" = --program ]; then
  cp "$2" "$app/Contents/MacOS/occuscope"
else
  export MACOSX_DEPLOYMENT_TARGET=11.0
  for platform in aarch64-apple-darwin x86_64-apple-darwin; do
    cargo build --locked --profile dist --bin occuscope --target $platform
  done
  lipo -create -output "$app/Contents/MacOS/occuscope" "$target"/{aarch64,x86_64}-apple-darwin/dist/occuscope
fi
chmod 755 "$app/Contents/MacOS/occuscope"
sed "s/VERSION/$version/" packaging/macos/Info.plist >"$app/Contents/Info.plist"
printf 'APPL????' >"$app/Contents/PkgInfo"
packaging/icons.sh "$out/icons" >/dev/null
cp "$out/icons/occuscope.icns" assets/THIRD_PARTY.md LICENSE-APACHE LICENSE-MIT assets/fonts/OFL.txt "$app/Contents/Resources/"
# Where the program runs: for `man` and the shells, to link to.
if "$app/Contents/MacOS/occuscope" --version >/dev/null 2>&1; then
  "$app/Contents/MacOS/occuscope" manual --output "$app/Contents/Resources/man/man1"
  mkdir -p "$app/Contents/Resources/completions"
  for shell in bash zsh fish powershell; do "$app/Contents/MacOS/occuscope" completions $shell >"$app/Contents/Resources/completions/occuscope.$shell"; done
fi
python3 - "$app" <<'PYTHON'
import pathlib, plistlib, struct, sys
contents = pathlib.Path(sys.argv[1]) / "Contents"
info = plistlib.loads((contents / "Info.plist").read_bytes())
assert (contents / "MacOS" / info["CFBundleExecutable"]).is_file(), "no program"
icon = (contents / "Resources" / (info["CFBundleIconFile"] + ".icns")).read_bytes()
assert icon[:4] == b"icns" and struct.unpack(">I", icon[4:8])[0] == len(icon), "the icon is damaged"
declared = {kind["UTTypeIdentifier"] for key in ("UTExportedTypeDeclarations", "UTImportedTypeDeclarations") for kind in info[key]}
used = {kind for document in info["CFBundleDocumentTypes"] for kind in document["LSItemContentTypes"]}
assert {kind for kind in used if not kind.startswith("public.")} == declared, "a document type is not declared"
print(f"Info.plist: {len(info['CFBundleDocumentTypes'])} document types; icon: {len(icon):,} bytes")
PYTHON
if command -v hdiutil >/dev/null; then
  stage=$(mktemp -d)
  cp -R "$app" "$stage/"
  ln -s /Applications "$stage/Applications"
  hdiutil create -volname Occuscope -srcfolder "$stage" -ov -format UDZO "$out/occuscope-$version.dmg"
  rm -rf "$stage"
else
  echo "no hdiutil here: $app is ready, the .dmg is made on a Mac"
fi
