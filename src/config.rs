//! `cited.toml` and the environment, merged once into options. Values come in from `cmd`; nothing here reads
//! the environment or the working folder by itself.
