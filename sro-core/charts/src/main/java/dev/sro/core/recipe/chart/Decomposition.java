package dev.sro.core.recipe.chart;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Into which steps a chart falls: each numbered template is one, in the order of full paths, then all else is the last.
 * Templates of charts inside of it belong to the first step, for SRO rendered them with every step, so the first brought
 * them. Helpers (with an underscore) and notes belong to none. Immutable.
 *
 * @param steps at least one; the last has all that has no number and may be empty
 * @param shared paths of the helpers, below the chart's folder
 */
public record Decomposition(List<ChartStep> steps, List<String> shared) {

    /** Four digits, then a dash or an underscore; the ending .yml does not make a state. */
    private static final Pattern STATE = Pattern.compile("[0-9]{4}[-_].*\\.yaml", Pattern.DOTALL);

    private static final String NOTES = "NOTES.txt";
    private static final int DIGITS = 4;

    /** Copies. */
    public Decomposition {
        steps = List.copyOf(steps);
        shared = List.copyOf(shared);
    }

    /** Whether a template is a state of its own. */
    public static boolean isState(String path) {
        return STATE.matcher(name(path)).matches();
    }

    /** Whether a template is only there for others to include. */
    public static boolean isShared(String path) {
        return name(path).startsWith("_");
    }

    static boolean isNotes(String path) {
        return path.endsWith(NOTES);
    }

    /**
     * The steps of a chart.
     *
     * @param chart the chart
     * @param rendered paths of all files that were rendered or failed to be, as the renderer names them
     */
    public static Decomposition of(Chart chart, Collection<String> rendered) {
        String own = chart.name() + "/templates/";
        List<String> states = rendered.stream()
                .filter(path -> path.startsWith(own) && isState(path))
                .sorted()
                .toList();
        List<String> inside =
                rendered.stream().filter(path -> !path.startsWith(own)).sorted().toList();
        List<String> rest = rendered.stream()
                .filter(path -> path.startsWith(own) && !isState(path) && !isShared(path) && !isNotes(path))
                .sorted()
                .toList();
        List<ChartStep> steps = new ArrayList<>();
        List<String> ids = new ArrayList<>();
        for (String path : states) {
            List<String> paths = new ArrayList<>(List.of(path));
            paths.addAll(steps.isEmpty() ? inside : List.of());
            steps.add(new ChartStep(id(path, own, ids), name(path).substring(0, DIGITS), paths));
        }
        List<String> last = new ArrayList<>(rest);
        last.addAll(steps.isEmpty() ? inside : List.of());
        steps.add(new ChartStep(ChartStep.LAST, "", last));
        List<String> shared = chart.templates().stream()
                .map(ChartFile::path)
                .filter(Decomposition::isShared)
                .toList();
        return new Decomposition(steps, shared);
    }

    /** The file's name; with its folder in front if another folder has a file of that name. */
    private static String id(String path, String own, List<String> taken) {
        String id = name(path).replaceFirst("\\.yaml$", "");
        if (taken.contains(id)) {
            id = path.substring(own.length()).replaceFirst("\\.yaml$", "").replace('/', '-');
        }
        taken.add(id);
        return id;
    }

    private static String name(String path) {
        return path.substring(path.lastIndexOf('/') + 1);
    }
}
