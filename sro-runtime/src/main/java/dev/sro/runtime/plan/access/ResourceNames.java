package dev.sro.runtime.plan.access;

import dev.sro.core.model.KubeObject;
import dev.sro.core.model.ObjectRef;
import dev.sro.core.model.ValueTrees;
import io.fabric8.kubernetes.api.Pluralize;
import java.util.Collection;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;

/**
 * How the API server names the kinds of objects, without asking it: as definitions among the objects say, and else as Kubernetes makes
 * plurals. Immutable.
 */
public final class ResourceNames {

    private final Map<String, String> defined;

    /** With the definitions among these objects. */
    public ResourceNames(Collection<KubeObject> objects) {
        this.defined = objects.stream()
                .filter(object -> object.ref().kind().equals("CustomResourceDefinition"))
                .collect(Collectors.toMap(
                        object -> ValueTrees.text(object.tree(), "spec", "group") + "/"
                                + ValueTrees.text(object.tree(), "spec", "names", "kind"),
                        object -> ValueTrees.text(object.tree(), "spec", "names", "plural"),
                        (one, other) -> other));
    }

    /** Of an object: empty for the core group. */
    public static String group(ObjectRef object) {
        String version = object.apiVersion();
        return version.contains("/") ? version.substring(0, version.indexOf('/')) : "";
    }

    /** The plural of its kind. */
    public String plural(ObjectRef object) {
        String known = defined.get(group(object) + "/" + object.kind());
        return Objects.requireNonNullElseGet(known, () -> plural(object.kind()));
    }

    /** The plural of a kind that Kubernetes has itself. */
    public static String plural(String kind) {
        return Pluralize.toPlural(kind.toLowerCase(Locale.ROOT));
    }
}
