//! Reading what profilers write into one model of a kernel. See `FORMATS` in the module docs once written.
