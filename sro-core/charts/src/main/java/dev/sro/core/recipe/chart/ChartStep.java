package dev.sro.core.recipe.chart;

import java.util.List;

/**
 * One step in which a chart is applied. Immutable.
 *
 * @param id stable within the chart: the name of the file without its ending, or {@link #LAST}
 * @param number the four digits that the step's node label ends with; empty for the last step, which has none
 * @param paths rendered files that belong to the step, with the chart's name in front; sorted
 */
public record ChartStep(String id, String number, List<String> paths) {

    /** The id of the step with all that has no number. */
    public static final String LAST = "stateless";

    /** Copies. */
    public ChartStep {
        paths = List.copyOf(paths);
    }

    /** Whether it is a numbered one. */
    public boolean isState() {
        return !number.isEmpty();
    }

    /**
     * Key of the label that nodes get when the step is done.
     *
     * @param specialResource name of the special resource
     */
    public String labelKey(String specialResource) {
        return "specialresource.openshift.io/state-" + specialResource + "-" + number;
    }
}
