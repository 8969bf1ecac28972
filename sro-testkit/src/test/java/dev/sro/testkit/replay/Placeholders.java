package dev.sro.testkit.replay;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** What stands for values that differ from run to run, numbered by first appearance, so that equality is kept. */
final class Placeholders {
    static final Pattern UUID = Pattern.compile("\\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\\b");
    private static final Pattern TIME =
            Pattern.compile("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d+)?(Z|[+-]\\d\\d:\\d\\d)");
    private static final Pattern IP = Pattern.compile("\\b10\\.(?:96|244|0)\\.\\d{1,3}\\.\\d{1,3}\\b");
    private static final Pattern HASH = Pattern.compile("[a-z0-9]{6,10}");
    private static final Pattern CLAIM = Pattern.compile("-[bcdfghjklmnpqrstvwxz2456789]{5}$");
    private static final Pattern TOKEN_VOLUME = Pattern.compile("kube-api-access-[a-z0-9]{5}\\b");
    private static final Map<Pattern, String> VERSIONS_IN_TEXTS = versionsInTexts();

    private record Generated(String name, String prefix, String suffix) {}

    private final String namespace;
    private final Map<String, String> environment;
    private final Map<String, Map<String, String>> known = new HashMap<>();
    private final Set<String> literals = new HashSet<>();
    private final Set<String> times = new HashSet<>();
    private final Map<String, Generated> names = new LinkedHashMap<>();

    Placeholders(String namespace, Map<String, String> environment) {
        this.namespace = namespace;
        this.environment = environment;
    }

    private static Map<Pattern, String> versionsInTexts() {
        Map<Pattern, String> patterns = new LinkedHashMap<>();
        patterns.put(Pattern.compile("(Too large resource version: \\d+, current: )\\d+"), "$1<rv>");
        patterns.put(Pattern.compile("(too old resource version: \\d+ \\()\\d+"), "$1<rv>");
        patterns.put(Pattern.compile("(resourceVersion\\\\?\"?: ?\\\\?\")\\d+"), "$1<rv>");
        patterns.put(
                Pattern.compile("(the ResourceVersion in the precondition \\()\\d+"
                        + "(\\) does not match the ResourceVersion in record \\()\\d+"),
                "$1<rv>$2<rv>");
        return patterns;
    }

    String of(String kind, String value) {
        Map<String, String> values = map(kind);
        return values.computeIfAbsent(value, v -> "<" + kind + ":" + (values.size() + 1) + ">");
    }

    private Map<String, String> map(String kind) {
        return known.computeIfAbsent(kind, k -> new LinkedHashMap<>());
    }

    boolean knows(String kind, String value) {
        return map(kind).containsKey(value);
    }

    boolean isLiteral(String kind, String value) {
        return literals.contains(kind + " " + value);
    }

    private void literal(String kind, String value) {
        if (!knows(kind, value)) {
            literals.add(kind + " " + value);
        }
    }

    /** What a request sends itself stays as it is. */
    void learnRequest(@Nullable JsonNode node, @Nullable String key) {
        if (node == null) {
            return;
        }
        if (node.isObject()) {
            node.properties().forEach(e -> learnRequest(e.getValue(), e.getKey()));
        } else if (node.isArray()) {
            node.forEach(item -> learnRequest(item, key));
        } else if (node.isTextual()) {
            String text = node.asText();
            TIME.matcher(text).results().forEach(m -> times.add(m.group()));
            IP.matcher(text).results().forEach(m -> literal("ip", m.group()));
            UUID.matcher(text).results().forEach(m -> literal("uid", m.group()));
            if ("resourceVersion".equals(key)) {
                literal("rv", text);
            } else if ("continue".equals(key)) {
                literal("continue", text);
            }
        } else if (node.isInt() && "nodePort".equals(key)) {
            literals.add("nodePort " + node.asText());
        }
    }

    /** Takes in generated names and hashes. */
    void learnAnswer(@Nullable JsonNode node) {
        if (node == null) {
            return;
        }
        if (node.isObject()) {
            if (node.path("metadata").isObject()) {
                learnMetadata(node.path("metadata"), node.path("kind").asText());
            }
            String claim = node.path("resourceClaimName").asText();
            if (CLAIM.matcher(claim).find() && !names.containsKey(claim)) {
                generated(claim, claim.substring(0, claim.length() - 5));
            }
        }
        if (node.isContainerNode()) {
            node.forEach(this::learnAnswer);
        }
    }

    private void learnMetadata(JsonNode metadata, String kind) {
        for (String label : new String[] {"pod-template-hash", "controller-revision-hash"}) {
            String value = metadata.path("labels").path(label).asText();
            String hash = value.substring(value.lastIndexOf('-') + 1);
            if (HASH.matcher(hash).matches()) {
                of("hash", hash);
            }
        }
        String name = metadata.path("name").asText();
        String revision = name.substring(name.lastIndexOf('-') + 1);
        if (kind.equals("ControllerRevision") && HASH.matcher(revision).matches()) {
            of("hash", revision);
        }
        String prefix = metadata.path("generateName").asText();
        if (prefix.isEmpty() || name.isEmpty() || names.containsKey(name)) {
            return;
        }
        // Of a long prefix only the beginning is used.
        if (!name.startsWith(prefix) && name.length() > 5 && prefix.startsWith(name.substring(0, name.length() - 5))) {
            prefix = name.substring(0, name.length() - 5);
        }
        if (name.startsWith(prefix) && !name.substring(prefix.length()).matches("\\d+")) {
            generated(name, prefix);
        }
    }

    private void generated(String name, String prefix) {
        String suffix = name.substring(prefix.length());
        names.put(name, new Generated(name, prefix, suffix));
        of("gen", suffix);
    }

    String text(String raw) {
        String t = replace(UUID, raw, m -> isLiteral("uid", m) ? m : of("uid", m));
        t = replace(TIME, t, m -> times.contains(m) ? m : "<time>");
        t = replace(IP, t, m -> isLiteral("ip", m) ? m : of("ip", m));
        for (Generated g : names.values()) {
            t = t.replace(g.name(), g.prefix() + of("gen", g.suffix()));
        }
        for (Map.Entry<String, String> hash : map("hash").entrySet()) {
            t = t.replace(hash.getKey(), hash.getValue());
        }
        t = TOKEN_VOLUME.matcher(t).replaceAll("kube-api-access-<gen>");
        t = t.replace(namespace, "<ns>");
        for (Map.Entry<String, String> e : environment.entrySet()) {
            if (e.getValue().length() > 8) {
                t = t.replace(e.getValue(), "<" + e.getKey() + ">");
            }
        }
        for (Map.Entry<Pattern, String> e : VERSIONS_IN_TEXTS.entrySet()) {
            t = e.getKey().matcher(t).replaceAll(e.getValue());
        }
        if (t.startsWith("-----BEGIN CERTIFICATE")) {
            return "<pem>";
        }
        return t.startsWith("eyJ") && t.chars().filter(c -> c == '.').count() == 2 ? "<token>" : t;
    }

    private static String replace(Pattern pattern, String text, UnaryOperator<String> by) {
        return pattern.matcher(text).replaceAll(m -> Matcher.quoteReplacement(by.apply(m.group())));
    }
}
