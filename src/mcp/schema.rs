//! Schemas as a client sees them: of the arguments from their types, of the results from the JSON files in
//! `schemas`, each with the shape of a failure beside that of a result, so that both are valid.

use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde_json::{Map, Value, json};

/// The schema of a tool's arguments.
pub fn input<T: JsonSchema>() -> Map<String, Value> {
    let settings = SchemaSettings::draft2020_12().with(|settings| settings.inline_subschemas = true);
    let schema = settings.into_generator().into_root_schema_for::<T>();
    let Value::Object(mut schema) = Value::from(schema) else { return Map::new() };
    schema.remove("title");
    schema.remove("description");
    schema.entry("properties").or_insert_with(|| json!({}));
    schema
}

/// The schema of a tool's result or failure. `text` is that of a result: an object with `properties`, all required
/// and no others allowed, unless it says otherwise.
pub fn output(text: &str) -> Map<String, Value> {
    let Ok(Value::Object(mut schema)) = serde_json::from_str::<Value>(text) else { return Map::new() };
    let mut properties = object(schema.remove("properties"));
    let required = schema.remove("required").unwrap_or_else(|| properties.keys().cloned().collect());
    properties.extend(failure());
    schema.insert("type".into(), "object".into());
    schema.insert("properties".into(), Value::Object(properties));
    let failed = json!({"required": ["error", "message", "retryable"]});
    let done = json!({"required": required, "not": {"required": ["error"]}});
    schema.insert("anyOf".into(), json!([done, failed]));
    schema.entry("additionalProperties").or_insert(false.into());
    schema
}

/// What a failure holds.
fn failure() -> Map<String, Value> {
    object(Some(json!({
        "error": {"type": "string", "description": "Only in a failure: what went wrong, as one word"},
        "message": {"type": "string", "description": "Only in a failure: one line"},
        "help": {"type": "string", "description": "Only in a failure: what would work"},
        "retryable": {"type": "boolean", "description": "Only in a failure: the same call may succeed later"},
        "reason": {"enum": ["queue_full", "budget_exhausted"], "description": "Only when overloaded"},
        "retry_after_seconds": {"type": "integer", "minimum": 1, "maximum": 5, "description": "Only when overloaded"},
    })))
}

fn object(value: Option<Value>) -> Map<String, Value> {
    match value {
        Some(Value::Object(map)) => map,
        _ => Map::new(),
    }
}
