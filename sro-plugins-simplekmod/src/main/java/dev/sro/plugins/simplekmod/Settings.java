package dev.sro.plugins.simplekmod;

import dev.sro.api.Checks;
import dev.sro.api.Problem;
import dev.sro.api.RecipeContext;
import dev.sro.api.State;
import dev.sro.api.resource.DriverContainer;
import dev.sro.api.resource.DriverSource;
import dev.sro.api.resource.GitSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Finds all that is wrong with what the user wrote, each with its field and what to do. Confined to one thread. */
final class Settings {
    static final String ALERTS = "alerts";
    private static final String AFTER = "after";
    private static final String PROVE_ON = "proveOn";
    private static final String CACHE_CLAIM = "cacheClaim";
    private static final String PUSH_SECRET = "pushSecret";
    private static final String PLAIN = "plainRegistries";
    private static final List<String> KNOWN =
            List.of(AFTER, ALERTS, CACHE_CLAIM, "driverToolkit", PLAIN, PROVE_ON, PUSH_SECRET, "registry");

    private static final String HOST = "[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?(:[0-9]{1,5})?";

    /** Of a capability, as {@link State#provides} has it. */
    private static final int MAX_CAPABILITY = 52;

    private final List<Problem> problems = new ArrayList<>();

    static List<Problem> check(RecipeContext context) {
        Settings settings = new Settings();
        settings.config(context.config());
        settings.modules(context.set().get("kmodNames"));
        settings.buildArgs(context.set().get("buildArgs"));
        settings.source(context);
        return List.copyOf(settings.problems);
    }

    private void config(Map<String, Object> config) {
        config.forEach((name, value) -> {
            String field = "spec.plugin.config." + name;
            if (!KNOWN.contains(name)) {
                wrong(field, "is not known; there are " + KNOWN + ". Correct or remove it");
            } else if (name.equals(AFTER)) {
                capabilities(field, value);
            } else if (name.equals(PLAIN)) {
                hosts(field, value);
            } else if (name.equals(PROVE_ON)) {
                labels(field, value);
            } else if (name.equals(ALERTS)) {
                if (!(value instanceof Boolean)) {
                    wrong(field, "must be true or false");
                }
            } else if (!(value instanceof String text) || text.isBlank()) {
                wrong(field, "must be text that is not empty");
            } else if (name.equals(CACHE_CLAIM) || name.equals(PUSH_SECRET)) {
                checked(() -> Checks.dnsSubdomain(field, text));
            } else if (name.equals("driverToolkit")) {
                checked(() -> Checks.image(field, text));
            } else if (!text.matches("[A-Za-z0-9]([A-Za-z0-9._/:-]*[A-Za-z0-9])?")) {
                wrong(
                        field,
                        "\"" + text
                                + "\" must be a registry, such as registry.example:5000/drivers, without a slash at"
                                + " the end");
            }
        });
    }

    /** Capabilities behind which the modules are loaded; checked before. */
    static List<String> after(RecipeContext context) {
        return context.config().get(AFTER) instanceof List<?> names
                ? names.stream().map(String::valueOf).toList()
                : List.of();
    }

    /** Labels of the nodes on which the modules are proved; none for all nodes. */
    static Map<String, String> proveOn(RecipeContext context) {
        Map<String, String> labels = new TreeMap<>();
        if (context.config().get(PROVE_ON) instanceof Map<?, ?> given) {
            given.forEach((key, value) -> labels.put(String.valueOf(key), String.valueOf(value)));
        }
        return labels;
    }

    /** The PersistentVolumeClaim in which builds keep what they made; empty for none. */
    static String cacheClaim(RecipeContext context) {
        return String.valueOf(context.config().getOrDefault(CACHE_CLAIM, ""));
    }

    /** The Secret to push and pull with; empty where the settings name none. */
    static String pushSecret(RecipeContext context) {
        return String.valueOf(context.config().getOrDefault(PUSH_SECRET, ""));
    }

    /** How BuildKit talks to registries: by HTTPS, but to those of the settings without. */
    static String buildkitd(RecipeContext context) {
        StringBuilder text = new StringBuilder("# Registries that are asked without TLS.\n");
        if (context.config().get(PLAIN) instanceof List<?> hosts) {
            hosts.forEach(
                    host -> text.append("[registry.\"").append(host).append("\"]\n  http = true\n  insecure = true\n"));
        }
        return text.toString();
    }

    private void hosts(String field, Object value) {
        for (Object item : list(field, value)) {
            if (!String.valueOf(item).matches(HOST)) {
                wrong(field, "\"" + item + "\" must be a host of a registry, such as registry.example:5000");
            }
        }
    }

    private void capabilities(String field, Object value) {
        for (Object item : list(field, value)) {
            String name = String.valueOf(item);
            checked(() -> Checks.dnsLabel(field, name));
            if (name.length() > MAX_CAPABILITY) {
                wrong(field, "\"" + name + "\" may have " + MAX_CAPABILITY + " characters at most");
            }
        }
    }

    private void labels(String field, Object value) {
        if (!(value instanceof Map<?, ?> labels)) {
            wrong(field, "must be a map of node labels");
            return;
        }
        labels.forEach((key, wanted) -> {
            checked(() -> Checks.qualifiedName(field, String.valueOf(key)));
            if (wanted instanceof String text) {
                checked(() -> Checks.labelValue(field + "." + key, text));
            } else {
                wrong(field + "." + key, wanted + " is no text; put it in quotes");
            }
        });
    }

    private void modules(@Nullable Object value) {
        String field = "spec.set.kmodNames";
        for (Object item : list(field, value)) {
            checked(() -> Checks.moduleName(field, String.valueOf(item)));
        }
    }

    private void buildArgs(@Nullable Object value) {
        String field = "spec.set.buildArgs";
        for (Object item : list(field, value)) {
            boolean whole = item instanceof Map<?, ?> arg
                    && arg.keySet().equals(Set.of("name", "value"))
                    && String.valueOf(arg.get("name")).matches("[A-Za-z_][A-Za-z0-9_]*");
            if (!whole) {
                wrong(field, item + " must be {name: NAME, value: VALUE}");
            }
        }
    }

    private void source(RecipeContext context) {
        Optional<GitSource> git = Optional.ofNullable(context.specialResource().getSpec())
                .map(spec -> spec.getDriverContainer())
                .map(DriverContainer::getSource)
                .map(DriverSource::getGit);
        if (git.map(GitSource::getUri).filter(uri -> !uri.isBlank()).isEmpty()) {
            wrong("spec.driverContainer.source.git.uri", "is missing; name the repository of the modules");
        }
        if (git.map(GitSource::getRef).filter(ref -> !ref.isBlank()).isEmpty()) {
            wrong("spec.driverContainer.source.git.ref", "is missing; name a branch, a tag or a commit");
        }
    }

    private List<?> list(String field, @Nullable Object value) {
        if (value instanceof List<?> items) {
            return items;
        }
        if (value != null) {
            wrong(field, "must be a list");
        }
        return List.of();
    }

    private void checked(Runnable check) {
        try {
            check.run();
        } catch (IllegalArgumentException e) {
            problems.add(Problem.user("InvalidKmodSettings", String.valueOf(e.getMessage())));
        }
    }

    private void wrong(String field, String rule) {
        problems.add(Problem.user("InvalidKmodSettings", field + ": " + rule));
    }
}
