package dev.sro.testkit.server;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** Reads the tables of built-in types. */
final class BuiltInTypes {
    private BuiltInTypes() {}

    static List<ResourceType> kubernetes() {
        return read("builtin-types.txt");
    }

    static List<ResourceType> openShift() {
        return read("openshift-types.txt");
    }

    private static List<ResourceType> read(String resource) {
        try (InputStream in = BuiltInTypes.class.getResourceAsStream(resource)) {
            if (in == null) {
                throw new IllegalStateException("missing on the class path: " + resource);
            }
            List<ResourceType> types = new ArrayList<>();
            new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> !line.isBlank() && !line.startsWith("#"))
                    .forEach(line -> types.add(parse(line)));
            return types;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static ResourceType parse(String line) {
        List<String> c = List.of(line.trim().split("\\s+"));
        String apiVersion = c.get(0);
        int slash = apiVersion.indexOf('/');
        String group = slash < 0 ? "" : apiVersion.substring(0, slash);
        String version = apiVersion.substring(slash + 1);
        boolean review = c.get(1).startsWith("(");
        String plural = review ? c.get(1).substring(1, c.get(1).length() - 1) : c.get(1);
        Gvr gvr = new Gvr(group, version, plural);
        boolean shared = c.size() > 7 && c.get(7).startsWith("group=");
        Gvr storage = shared ? new Gvr(c.get(7).substring("group=".length()), "v1", plural) : gvr;
        if (plural.equals("horizontalpodautoscalers")) {
            storage = new Gvr(group, "v2", plural);
        }
        return new ResourceType(
                gvr,
                storage,
                c.get(2),
                c.get(2).toLowerCase(Locale.ROOT),
                c.get(3).equals("N"),
                list(c.get(4)),
                list(c.get(5)),
                Set.copyOf(list(c.get(6))),
                verbs(plural, review),
                false);
    }

    private static List<String> verbs(String plural, boolean review) {
        if (review) {
            return List.of("create");
        }
        return switch (plural) {
            case "componentstatuses" -> List.of("get", "list");
            case "namespaces" ->
                ResourceType.ALL_VERBS.stream()
                        .filter(v -> !v.equals("deletecollection"))
                        .toList();
            default -> ResourceType.ALL_VERBS;
        };
    }

    private static List<String> list(String column) {
        return column.equals("-") ? List.of() : List.of(column.split(","));
    }
}
