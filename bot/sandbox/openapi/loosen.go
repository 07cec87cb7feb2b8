package openapi

import (
	"encoding/json"
	"fmt"
)

const snowflakePattern = "^(0|[1-9][0-9]*)$"

// permissionsSchema allows a string: the documentation and every library send this bitset so; the description knows
// the number alone.
func permissionsSchema() map[string]any {
	return map[string]any{
		"type": []any{"integer", "string", "null"}, "pattern": snowflakePattern,
		"minimum": json.Number("0"), "maximum": json.Number("18014398509481983"),
	}
}

// attachmentIDSchema allows a number: the documentation numbers new files 0, 1, 2; the description knows the string
// alone.
func attachmentIDSchema() map[string]any {
	return map[string]any{
		"type": []any{"integer", "string"}, "pattern": snowflakePattern, "minimum": json.Number("0"),
	}
}

// loosen replaces schemas where the description is stricter than Discord and its documentation. It fails when a schema to be replaced is not where it was, as a newer
// description might have it.
func loosen(tree any) error {
	for _, r := range []struct {
		schema, property string
		with             map[string]any
	}{
		{"ApplicationCommandCreateRequest", "default_member_permissions", permissionsSchema()},
		{"ApplicationCommandPatchRequestPartial", "default_member_permissions", permissionsSchema()},
		{"ApplicationCommandUpdateRequest", "default_member_permissions", permissionsSchema()},
		{"MessageAttachmentRequest", "id", attachmentIDSchema()},
	} {
		properties, ok := at(tree, "components", "schemas", r.schema, "properties").(map[string]any)
		if !ok || properties[r.property] == nil {
			return fmt.Errorf("no property %s in schema %s", r.property, r.schema)
		}
		properties[r.property] = r.with
	}
	return nil
}

// at follows keys through nested objects; nil if one is missing.
func at(tree any, keys ...string) any {
	for _, k := range keys {
		object, ok := tree.(map[string]any)
		if !ok {
			return nil
		}
		tree = object[k]
	}
	return tree
}
