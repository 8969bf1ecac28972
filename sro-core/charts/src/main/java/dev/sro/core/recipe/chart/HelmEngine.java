package dev.sro.core.recipe.chart;

import java.nio.file.Path;

/** Helm, wherever it comes from: its library in a process of its own, or the command. Not thread-safe. */
interface HelmEngine extends AutoCloseable {

    /** How a chart is packed so that this engine tells the text of every file. */
    RenderArchive.Answer answer();

    /** Whether it can be asked; one that cannot is replaced. */
    boolean isAlive();

    /** How many questions it was asked. */
    int asked();

    /**
     * What the generated file of the chart came out as, in base64; empty for a chart without one. Waits for it.
     *
     * @throws HelmProcess.HelmException in Helm's words, if Helm refuses the chart
     * @throws HelmProcess.EndedException if Helm ended, or had to be ended
     */
    String ask(Path archive, Path values, RenderRequest.Release release, String kubeVersion)
            throws HelmProcess.HelmException, HelmProcess.EndedException;

    @Override
    void close();
}
