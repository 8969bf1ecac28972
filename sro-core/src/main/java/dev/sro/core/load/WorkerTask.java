package dev.sro.core.load;

import java.util.Optional;
import java.util.regex.Pattern;

/**
 * What a worker pod does, as its annotation says it. Immutable.
 *
 * @param task whether it loads or unloads
 * @param config of which configuration
 * @param boot in which boot of its node, as {@link NodeLoad#boot} names it
 */
public record WorkerTask(Task task, String config, String boot) {

    private static final Pattern FORM = Pattern.compile("(load|unload)\\.[0-9a-f]{16}\\.[0-9a-f]{16}");

    /** The tasks of a script that change a node. */
    public enum Task {
        /** Loads the modules. */
        LOAD("load"),
        /** Unloads them. */
        UNLOAD("unload");

        private final String word;

        Task(String word) {
            this.word = word;
        }

        /** What the script is called with. */
        public String word() {
            return word;
        }
    }

    /** What the annotation says; empty for anything that SRO did not write. */
    public static Optional<WorkerTask> parse(String text) {
        if (!FORM.matcher(text).matches()) {
            return Optional.empty();
        }
        String[] parts = text.split("\\.", -1);
        return Optional.of(new WorkerTask(parts[0].equals("load") ? Task.LOAD : Task.UNLOAD, parts[1], parts[2]));
    }

    /** The value of the annotation. */
    public String text() {
        return task.word() + "." + config + "." + boot;
    }
}
