package dev.sro.core.recipe.generated;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A recipe as its author means it.
 *
 * @param seed that made it
 * @param files states, in no order
 * @param nodes of the cluster
 * @param nodeFeature label of the nodes, as the ConfigMap or the special resource says; empty for none
 * @param nodeSelector of the special resource
 * @param arguments of the special resource, by name
 * @param missing vendors whose images are not there before they are built
 */
record Blueprint(
        long seed,
        Era era,
        List<File> files,
        List<Machine> nodes,
        String nodeFeature,
        Map<String, String> nodeSelector,
        Map<String, Word> arguments,
        List<String> missing) {

    static final String RESOURCE = "acme-kmod";
    static final String SPACE = "acme-space";
    static final String HARDWARE = "acme-hardware";
    static final String GIT_REF = "release-1.2";
    static final String CONFIGURED = "configured-value";

    /** When it was written. */
    enum Era {
        /** A folder for each state, no templates. */
        FOLDERS,
        /** Files with numbers, no templates. */
        EARLY_2019,
        /** ConfigMaps with annotations, templates. */
        OF_2020,
        /** ConfigMaps, templates that are executed twice. */
        OF_2021;

        boolean hasTemplates() {
            return this == OF_2020 || this == OF_2021;
        }
    }

    /** What is wrong with a file, and the code of the problem. */
    enum Flaw {
        NONE(""),
        UNDEFINED_VARIABLE("TemplateFailed"),
        BROKEN_TEMPLATE("TemplateFailed"),
        BROKEN_YAML("InvalidManifest"),
        NO_KIND("InvalidManifest"),
        FILLED("FilledByOtherOperator");

        final String code;

        Flaw(String code) {
            this.code = code;
        }
    }

    /**
     * A file or folder: a state.
     *
     * @param name with folder, if the recipe has folders
     */
    record File(String name, List<Item> items, Flaw flaw) {}

    /** A node. */
    record Machine(String name, Kernel kernel, Map<String, String> labels) {}

    Optional<Flaw> refusal() {
        return files.stream()
                .map(File::flaw)
                .filter(flaw -> flaw == Flaw.FILLED)
                .findFirst();
    }
}
