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
 * @param place where its files are
 * @param prometheus what is known of the cluster's
 * @param tolerant whether its DaemonSets tolerate the taints of nodes
 * @param needs other special resources that it names: whether each is there
 */
record Blueprint(
        long seed,
        Era era,
        List<File> files,
        List<Machine> nodes,
        String nodeFeature,
        Map<String, String> nodeSelector,
        Map<String, Word> arguments,
        List<String> missing,
        Place place,
        Prometheus prometheus,
        boolean tolerant,
        Map<String, Boolean> needs) {

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

    /** Where the files of a recipe are. */
    enum Place {
        /** A ConfigMap with the name of the special resource. */
        NAMED,
        /** One with the label and the hardware's name. */
        LABELLED,
        /** One that the special resource names, in another namespace. */
        REFERRED,
        /** A directory. */
        FOLDER
    }

    /** What a Secret says of the cluster's Prometheus. */
    enum Prometheus {
        NONE,
        BROKEN,
        /** With the password where it was first. */
        EARLY,
        LATE;

        boolean isKnown() {
            return this == EARLY || this == LATE;
        }
    }

    /** What the hardware is called: in 2020 as the ConfigMap says, later as the special resource. */
    String hardware() {
        return era == Era.OF_2020 && place != Place.LABELLED ? HARDWARE : RESOURCE;
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
    record Machine(String name, Kernel kernel, Map<String, String> labels, List<String> taints) {

        /** Whether a pod without tolerations cannot be there. Cordoned is not that, nor is what is only preferred. */
        boolean keepsOff() {
            return taints.stream()
                    .anyMatch(
                            taint -> !taint.endsWith(":PreferNoSchedule") && !taint.startsWith("node.kubernetes.io/"));
        }
    }

    Optional<Flaw> refusal() {
        return files.stream()
                .map(File::flaw)
                .filter(flaw -> flaw == Flaw.FILLED)
                .findFirst();
    }
}
