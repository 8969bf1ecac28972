package dev.sro.core.plugin;

import dev.sro.core.slicing.input.Suggestions;
import java.util.List;
import java.util.Locale;

/** Words for a plugin name that nobody answers to. Stateless. */
final class UnknownPlugin {

    private UnknownPlugin() {}

    static List<PluginRejection> related(String name, List<PluginRejection> rejections) {
        String wanted = squash(name);
        if (wanted.isEmpty()) {
            return List.of();
        }
        return rejections.stream()
                .filter(rejection -> squash(rejection.file()).contains(wanted)
                        || squash(rejection.message()).contains(wanted))
                .toList();
    }

    static String describe(String name, List<String> names, List<PluginRejection> rejections) {
        StringBuilder text =
                new StringBuilder("No plugin is named \"").append(name).append("\"; ");
        if (names.isEmpty()) {
            text.append("no plugin is loaded.");
        } else {
            List<String> close = Suggestions.close(name, names);
            if (!close.isEmpty()) {
                text.append("did you mean ").append(String.join(", ", close)).append("? ");
            }
            text.append(close.isEmpty() ? "known" : "Known")
                    .append(" names: ")
                    .append(String.join(", ", names))
                    .append('.');
        }
        List<PluginRejection> related = related(name, rejections);
        related.forEach(rejection -> text.append(" Rejected: ").append(rejection.message()));
        int others = rejections.size() - related.size();
        if (others > 0) {
            text.append(' ').append(others).append(related.isEmpty() ? "" : " other");
            text.append(others == 1 ? " file was rejected." : " files were rejected.");
        }
        return text.toString();
    }

    /** "sro-plugins-simplekmod-0.1.jar" has to match "simple-kmod". */
    private static String squash(String text) {
        return text.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]", "");
    }
}
