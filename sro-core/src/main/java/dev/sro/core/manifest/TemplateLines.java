package dev.sro.core.manifest;

import dev.sro.core.yaml.Yaml;
import dev.sro.core.yaml.YamlException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import java.util.regex.Pattern;

/**
 * From which line of a template a line of the rendered text comes. No renderer says so: lines that both have once tie the two together,
 * and what is between two of them comes from between them. Immutable.
 */
final class TemplateLines implements IntFunction<String> {

    private static final int SEVERAL = -1;

    /** A line of nothing but a call, which may render to any number of lines. */
    private static final Pattern CONTROL = Pattern.compile("\\s*\\{\\{.*}}\\s*");

    private final List<String> template;
    private final List<String> rendered;
    private final Map<String, Integer> once = new HashMap<>();

    TemplateLines(String template, String rendered) {
        this.template = template.lines().toList();
        this.rendered = rendered.lines().toList();
        for (int i = 0; i < this.template.size(); i++) {
            once.merge(this.template.get(i).stripTrailing(), i, (one, other) -> SEVERAL);
        }
        Map<String, Integer> times = new HashMap<>();
        this.rendered.forEach(line -> times.merge(line.stripTrailing(), 1, Integer::sum));
        once.entrySet()
                .removeIf(line -> line.getKey().isEmpty()
                        || line.getValue() == SEVERAL
                        || times.getOrDefault(line.getKey(), 0) != 1);
    }

    /**
     * The documents in a rendered text; what is wrong is said of the template's lines, which are all that its author has.
     *
     * @throws RenderException where {@link Yaml#documents} throws
     */
    static List<Map<String, Object>> documents(
            String source, String template, String rendered, Consumer<String> warnings) {
        try {
            return template.equals(rendered)
                    ? Yaml.documents(source, rendered, warnings)
                    : Yaml.documents(source, rendered, new TemplateLines(template, rendered), warnings);
        } catch (YamlException e) {
            throw RenderException.vendor("InvalidManifest", String.valueOf(e.getMessage()));
        }
    }

    /** {@code line 5} of the template, and which one it is when rendered, where that is another. */
    @Override
    public String apply(int line) {
        int before = anchor(line - 1, -1);
        int after = anchor(line - 1, 1);
        int from = before < 0 ? -1 : place(before);
        int to = after < 0 ? template.size() : place(after);
        int end = after < 0 ? rendered.size() : after;
        if (to < from || template.isEmpty()) {
            // They changed places: neither says anything.
            return "line " + line + " of what it renders";
        }
        int lines = to - from;
        boolean oneByOne = lines == end - before
                && template.subList(from + 1, Math.max(from + 1, to)).stream()
                        .noneMatch(text -> CONTROL.matcher(text).matches());
        int found = line - 1 == before ? from : oneByOne ? from + (line - 1 - before) : SEVERAL;
        if (found >= 0) {
            return "line " + (found + 1) + (found + 1 == line ? "" : " (line " + line + " of what it renders)");
        }
        int first = Math.min(from + 2, template.size());
        int last = Math.max(first, to);
        return (first == last ? "line " + first : "lines " + first + " to " + last) + " (line " + line
                + " of what it renders)";
    }

    private int place(int at) {
        return once.getOrDefault(rendered.get(at).stripTrailing(), SEVERAL);
    }

    /** The nearest line of the rendered text, from this one on, that the template has, too; -1 if there is none. */
    private int anchor(int from, int step) {
        for (int at = Math.min(from, rendered.size() - 1); at >= 0 && at < rendered.size(); at += step) {
            if (once.containsKey(rendered.get(at).stripTrailing())) {
                return at;
            }
        }
        return -1;
    }
}
