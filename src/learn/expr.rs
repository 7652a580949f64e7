//! Small formulas over named numbers: `3 * warps`, `ceil(threads / 32)`, `smem_allocated / kib`.

/// Works out a formula. `value_of` gives a name's number, or none where the launch has none (no grid, say).
///
/// Infinite is "unlimited". None when a name has no number, or for a division by zero.
///
/// # Errors
/// What is wrong with the formula itself: an unknown name, a sign that does not belong.
pub fn evaluate(text: &str, value_of: &dyn Fn(&str) -> Result<Option<f64>, String>) -> Result<Option<f64>, String> {
    let mut reader = Reader { rest: text.trim(), value_of };
    let value = reader.sum()?;
    if reader.rest.is_empty() {
        Ok(value.filter(|value| !value.is_nan()))
    } else {
        Err(format!("\"{}\" does not belong in \"{text}\"", reader.rest))
    }
}

struct Reader<'a> {
    rest: &'a str,
    value_of: &'a dyn Fn(&str) -> Result<Option<f64>, String>,
}

type Value = Result<Option<f64>, String>;

impl Reader<'_> {
    fn sum(&mut self) -> Value {
        let mut left = self.product()?;
        loop {
            if self.takes('+') {
                left = both(left, self.product()?, |a, b| a + b);
            } else if self.takes('-') {
                left = both(left, self.product()?, |a, b| a - b);
            } else {
                return Ok(left);
            }
        }
    }

    fn product(&mut self) -> Value {
        let mut left = self.single()?;
        loop {
            if self.takes('*') {
                left = both(left, self.single()?, |a, b| a * b);
            } else if self.takes('/') {
                left = both(left, self.single()?, |a, b| if b == 0.0 { f64::NAN } else { a / b });
            } else {
                return Ok(left);
            }
        }
    }

    fn single(&mut self) -> Value {
        if self.takes('(') {
            let inside = self.sum()?;
            return self.closed(inside);
        }
        let length = self.rest.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_' || c == '.')).unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at(length);
        self.rest = rest.trim_start();
        if word.is_empty() {
            return Err(format!("a number or a name is missing before \"{rest}\""));
        }
        if let Ok(number) = word.parse() {
            return Ok(Some(number));
        }
        if !self.takes('(') {
            return (self.value_of)(word);
        }
        let first = self.sum()?;
        let result = match word {
            "ceil" => first.map(f64::ceil),
            "floor" => first.map(f64::floor),
            "up" | "min" => {
                if !self.takes(',') {
                    return Err(format!("{word} takes two numbers"));
                }
                let second = self.sum()?;
                if word == "min" { both(first, second, f64::min) } else { both(first, second, |a, b| (a / b).ceil() * b) }
            }
            _ => return Err(format!("\"{word}\" is no function")),
        };
        self.closed(result)
    }

    fn closed(&mut self, value: Option<f64>) -> Value {
        if self.takes(')') { Ok(value) } else { Err("a bracket is not closed".to_owned()) }
    }

    fn takes(&mut self, sign: char) -> bool {
        let rest = self.rest.trim_start();
        let after = rest.strip_prefix(sign);
        self.rest = after.unwrap_or(rest).trim_start();
        after.is_some()
    }
}

fn both(one: Option<f64>, other: Option<f64>, join: impl Fn(f64, f64) -> f64) -> Option<f64> {
    one.zip(other).map(|(one, other)| join(one, other))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(text: &str) -> Result<Option<f64>, String> {
        evaluate(text, &|name| match name {
            "warps" => Ok(Some(8.0)),
            "grid" => Ok(None),
            _ => Err(format!("\"{name}\" is not known")),
        })
    }

    #[test]
    fn formulas_have_the_usual_order() {
        assert_eq!(value("2 + 3 * warps"), Ok(Some(26.0)));
        assert_eq!(value("(2 + 3) * warps - 1"), Ok(Some(39.0)));
        assert_eq!(value("up(41 * 32, 256)"), Ok(Some(1536.0)));
        assert_eq!(value("floor(64 / 24)"), Ok(Some(2.0)));
        assert_eq!(value("min(3, ceil(2.1))"), Ok(Some(3.0)));
    }

    #[test]
    fn a_missing_number_is_no_error_and_a_wrong_name_is() {
        assert_eq!(value("grid / 2"), Ok(None));
        assert_eq!(value("1 / 0"), Ok(None));
        for wrong in ["warp", "2 +", "(2", "2 3", "twice(2)", "min(2)"] {
            assert!(value(wrong).is_err(), "{wrong}");
        }
    }
}
