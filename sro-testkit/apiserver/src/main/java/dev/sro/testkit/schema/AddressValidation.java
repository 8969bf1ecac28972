package dev.sro.testkit.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Validation of IPAddresses, which say what an address of the network of services was given to. Stateless. */
final class AddressValidation {
    private AddressValidation() {}

    static List<FieldError> validate(ObjectNode address, @Nullable ObjectNode old) {
        Checks checks = new Checks(new ArrayList<>());
        JsonNode parent = address.path("spec").path("parentRef");
        String at = "spec.parentRef";
        if (old != null) {
            if (!parent.equals(old.path("spec").path("parentRef"))) {
                checks.add(InternalForm.invalid(at, "*ParentReference", parent, "field is immutable"));
            }
            // What must be there is looked at again.
            if (!parent.isObject()) {
                checks.required(at, "");
            } else {
                checks.present(parent, "resource", at);
                checks.present(parent, "name", at);
            }
            return checks.errors();
        }
        if (!parent.isObject()) {
            checks.required(at, "");
            return checks.errors();
        }
        String group = JsonTree.text(parent, "group");
        if (!group.isEmpty()) {
            checks.subdomain(group, at + ".group");
        }
        checks.presentSegment(parent, "resource", at);
        checks.presentSegment(parent, "name", at);
        if (!JsonTree.text(parent, "namespace").isEmpty()) {
            checks.pathSegment(JsonTree.text(parent, "namespace"), at + ".namespace");
        }
        return checks.errors();
    }
}
