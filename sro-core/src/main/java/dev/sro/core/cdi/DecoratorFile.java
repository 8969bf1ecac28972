package dev.sro.core.cdi;

import dev.sro.api.device.Decoration;
import dev.sro.core.yaml.Yaml;
import dev.sro.core.yaml.YamlException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Reads the configuration of an OCI decorator, in JSON or YAML, in one of three forms, which are told apart by their fields:
 *
 * <ul>
 *   <li>{@code oci-decorator}: {@code inventory} with lists per feature, of which {@code driver_feature} names those to use; devices
 *       are names under {@code /dev};
 *   <li>{@code oci-injector-hook}: the lists at the top, with {@code activation_flag};
 *   <li>SRO's own: the lists at the top, with {@code kind}, and field names as in {@link Decoration}.
 * </ul>
 *
 * <p>Everything that is not known or not meant like that is an error; all errors of a file are found at once. Stateless.
 */
public final class DecoratorFile {

    /** The forms. */
    public enum Form {
        /** {@code /etc/oci-decorator/oci-decorator.d/*.json}. */
        OCI_DECORATOR("oci-decorator"),
        /** {@code /etc/oci-injector-hook/*.json}. */
        OCI_INJECTOR_HOOK("oci-injector-hook"),
        /** SRO's own. */
        SRO("sro");

        private final String word;

        Form(String word) {
            this.word = word;
        }

        /** As people write it. */
        public String word() {
            return word;
        }
    }

    /**
     * What was read.
     *
     * @param form of the file
     * @param decoration what it says
     */
    public record Result(Form form, Decoration decoration) {}

    /**
     * What the file itself does not say.
     *
     * @param kind of the device, where the form has none
     * @param device its name, where the form has none
     * @param ldconfig renews the cache of the linker, where the form does not say; empty for none
     */
    public record Defaults(Optional<String> kind, String device, Optional<String> ldconfig) {

        /** No kind, the device {@code all}, and {@code /sbin/ldconfig}. */
        public static final Defaults NONE = new Defaults(Optional.empty(), "all", Optional.of("/sbin/ldconfig"));
    }

    private static final List<String> LISTS =
            List.of("devices", "binaries", "libraries", "directories", "miscellaneous");

    private static final Set<String> DECORATOR =
            Set.of("version", "log_level", "activation_flag", "driver_feature", "inventory");

    private static final Set<String> INJECTOR =
            Set.of("activation_flag", "devices", "binaries", "libraries", "directories", "miscellaneous");

    private static final Set<String> OWN = Set.of(
            "kind",
            "device",
            "activationFlag",
            "devices",
            "binaries",
            "libraries",
            "directories",
            "miscellaneous",
            "environment",
            "ldconfig",
            "hookPath");

    private final String file;
    private final Map<String, Object> tree;
    private final Defaults defaults;
    private final List<String> errors = new ArrayList<>();

    private DecoratorFile(String file, Map<String, Object> tree, Defaults defaults) {
        this.file = file;
        this.tree = tree;
        this.defaults = defaults;
    }

    /**
     * Reads a file.
     *
     * @param file what messages call it
     * @param text JSON or YAML
     * @throws DecoratorFileException with all that is wrong
     */
    public static Result read(String file, String text, Defaults defaults) {
        List<Map<String, Object>> documents;
        try {
            documents = Yaml.documents(file, text);
        } catch (YamlException e) {
            throw new DecoratorFileException(List.of(String.valueOf(e.getMessage())));
        }
        if (documents.size() != 1) {
            throw new DecoratorFileException(List.of(file + ": has " + documents.size()
                    + " documents, one is read; give each configuration a file of its own"));
        }
        return new DecoratorFile(file, documents.get(0), defaults).result();
    }

    private Result result() {
        Form form = tree.containsKey("inventory") || tree.containsKey("driver_feature")
                ? Form.OCI_DECORATOR
                : tree.containsKey("kind") ? Form.SRO : Form.OCI_INJECTOR_HOOK;
        Decoration.Builder builder = Decoration.builder();
        switch (form) {
            case OCI_DECORATOR -> decorator(builder);
            case OCI_INJECTOR_HOOK -> injector(builder);
            case SRO -> own(builder);
        }
        Optional<Decoration> decoration = Optional.empty();
        if (errors.isEmpty()) {
            try {
                decoration = Optional.of(builder.build());
            } catch (IllegalArgumentException | IllegalStateException e) {
                errors.add(file + ": " + e.getMessage());
            }
        }
        return new Result(form, decoration.orElseThrow(() -> new DecoratorFileException(errors)));
    }

    private void decorator(Decoration.Builder builder) {
        known("", tree, DECORATOR, Form.OCI_DECORATOR);
        string("", tree, "version");
        string("", tree, "log_level");
        named(builder);
        flag(builder, "activation_flag", true);
        List<String> features = strings("", tree, "driver_feature", true);
        Map<String, Object> inventory = map("inventory");
        Map<String, Set<String>> merged = new TreeMap<>();
        for (String feature : new LinkedHashSet<>(features)) {
            String at = "inventory." + feature;
            if (!(inventory.get(feature) instanceof Map<?, ?> lists)) {
                error(
                        at,
                        "is missing, and driver_feature asks for it; describe the feature there, or do not ask for it");
                continue;
            }
            Map<String, Object> typed = new TreeMap<>();
            lists.forEach((key, value) -> typed.put(String.valueOf(key), value));
            known(at + ".", typed, Set.copyOf(LISTS), Form.OCI_DECORATOR);
            for (String list : LISTS) {
                List<String> values = strings(at + ".", typed, list, true);
                merged.computeIfAbsent(list, unused -> new LinkedHashSet<>())
                        .addAll(list.equals("devices") ? devices(at, values) : values);
            }
        }
        lists(builder, list -> List.copyOf(merged.getOrDefault(list, Set.of())));
    }

    /** Names under {@code /dev}. */
    private List<String> devices(String at, List<String> names) {
        List<String> paths = new ArrayList<>();
        for (String name : names) {
            if (name.startsWith("/")) {
                error(at + ".devices", "\"" + name + "\" must be a name under /dev, without the path, in this form");
            } else {
                paths.add("/dev/" + name);
            }
        }
        return paths;
    }

    private void injector(Decoration.Builder builder) {
        known("", tree, INJECTOR, Form.OCI_INJECTOR_HOOK);
        named(builder);
        flag(builder, "activation_flag", true);
        lists(builder, list -> strings("", tree, list, false));
    }

    private void own(Decoration.Builder builder) {
        known("", tree, OWN, Form.SRO);
        string("", tree, "kind").ifPresent(builder::kind);
        builder.device(string("", tree, "device").orElse(defaults.device()));
        flag(builder, "activationFlag", false);
        lists(builder, list -> strings("", tree, list, false));
        Map<String, String> environment = new TreeMap<>();
        map("environment").forEach((name, value) -> {
            if (value == null || value instanceof Map || value instanceof List) {
                error("environment." + name, "must be text");
            } else {
                environment.put(name, String.valueOf(value));
            }
        });
        builder.environment(environment);
        Optional<String> ldconfig = string("", tree, "ldconfig");
        (ldconfig.isPresent() ? ldconfig.filter(path -> !path.isEmpty()) : defaults.ldconfig())
                .ifPresent(builder::ldconfig);
        string("", tree, "hookPath").ifPresent(builder::hookPath);
    }

    private void named(Decoration.Builder builder) {
        defaults.kind()
                .ifPresentOrElse(
                        builder::kind,
                        () -> errors.add(
                                file + ": does not say the kind of the device, which this form has no field for;"
                                        + " give it beside the file (--kind vendor.example/class)"));
        builder.device(defaults.device());
        defaults.ldconfig().ifPresent(builder::ldconfig);
    }

    private void flag(Decoration.Builder builder, String field, boolean required) {
        Optional<String> flag = string("", tree, field);
        flag.ifPresent(builder::activationFlag);
        if (required && !tree.containsKey(field)) {
            error(field, "is missing; name the environment variable by which containers are known");
        }
    }

    private static void lists(Decoration.Builder builder, Function<String, List<String>> lists) {
        Map<String, Consumer<List<String>>> setters = Map.of(
                "devices", builder::addAllDevices,
                "binaries", builder::addAllBinaries,
                "libraries", builder::addAllLibraries,
                "directories", builder::addAllDirectories,
                "miscellaneous", builder::addAllMiscellaneous);
        setters.forEach((list, setter) -> setter.accept(lists.apply(list)));
    }

    private void known(String prefix, Map<String, Object> map, Set<String> fields, Form form) {
        for (String field : new TreeSet<>(map.keySet())) {
            if (!fields.contains(field)) {
                error(
                        prefix + field,
                        "is no field of the form " + form.word() + ", which has " + new TreeSet<>(fields)
                                + "; correct or remove it");
            }
        }
    }

    private Optional<String> string(String prefix, Map<String, Object> map, String field) {
        Object value = map.get(field);
        if (value == null || value instanceof String) {
            return Optional.ofNullable((String) value);
        }
        error(prefix + field, "must be text; put it in quotes");
        return Optional.empty();
    }

    private Map<String, Object> map(String field) {
        Object value = tree.get(field);
        Map<String, Object> typed = new TreeMap<>();
        if (value instanceof Map<?, ?> map) {
            map.forEach((key, one) -> typed.put(String.valueOf(key), one));
        } else if (value != null || field.equals("inventory")) {
            error(field, value == null ? "is missing" : "must be an object");
        }
        return typed;
    }

    private List<String> strings(String prefix, Map<String, Object> map, String field, boolean required) {
        @Nullable Object value = map.get(field);
        List<String> strings = new ArrayList<>();
        if (value instanceof List<?> items) {
            for (Object item : items) {
                if (item instanceof String text) {
                    strings.add(text);
                } else {
                    error(prefix + field, "must be a list of texts, and has " + item + "; put it in quotes");
                }
            }
        } else if (value != null) {
            error(prefix + field, "must be a list");
        } else if (required) {
            error(prefix + field, "is missing; it may be an empty list");
        }
        return strings;
    }

    private void error(String field, String rule) {
        errors.add(file + ": " + field + " " + rule);
    }
}
