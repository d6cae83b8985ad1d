//! The settings as one document: shown with what is allowed, changed field by field.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// What is chosen. Secrets are not shown.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct SettingsView {
    /// Every setting by its dotted name.
    #[schema(value_type = Object)]
    pub values: BTreeMap<String, serde_json::Value>,
    /// The file that the user writes; it is read at start.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// How often they were changed here; a change that names it is refused when it is another by then.
    #[serde(default)]
    pub revision: u64,
    /// Every setting with what it means.
    #[serde(default)]
    pub settings: Vec<SettingView>,
}

/// One setting.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct SettingView {
    /// Its dotted name.
    pub key: String,
    /// Its value; absent when it is not chosen and has no default. Secrets are not shown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<String>,
    /// Who chose it, for a person.
    pub origin: String,
    /// What was set here; where `value` is another, the environment or a flag goes before it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub saved: Option<String>,
    /// What can be given, for a person.
    pub allowed: String,
    /// What holds when nobody chooses; empty when that is nothing.
    pub default: String,
    /// What it means.
    pub about: String,
    /// Whether it can be set here.
    pub editable: bool,
    /// Whether a change is taken up at once; otherwise at the next start.
    pub live: bool,
    /// Whether its value waits for the next start.
    pub waits: bool,
}

/// Changes settings: all that it names, or none. What is refused is named in `details.fields`, why by key.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
pub struct SettingsRequest {
    /// The revision that it is meant for, as `GET` gave it; `conflict` when it is another by then.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub revision: Option<u64>,
    /// New values by key, as they are typed; lists with commas.
    pub set: BTreeMap<String, String>,
    /// What is no longer set here.
    pub unset: BTreeSet<String>,
}
