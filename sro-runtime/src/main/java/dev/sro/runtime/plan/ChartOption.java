package dev.sro.runtime.plan;

import dev.sro.core.model.FileErrors;
import dev.sro.core.recipe.chart.Chart;
import dev.sro.core.recipe.chart.ChartException;
import dev.sro.core.recipe.chart.ChartLoader;
import dev.sro.runtime.UnusableInputException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A chart that is given by an option, instead of the one of its name in a repository. Stateless. */
public final class ChartOption {

    private ChartOption() {}

    /**
     * Reads it.
     *
     * @param path a folder or an archive
     * @throws UnusableInputException if it is no chart, or cannot be read
     */
    public static Chart load(Path path) {
        try {
            ChartLoader loader = new ChartLoader();
            return Files.isDirectory(path)
                    ? loader.fromDirectory(path.toString(), path)
                    : loader.fromArchive(path.toString(), Files.readAllBytes(path));
        } catch (ChartException e) {
            throw new UnusableInputException("--chart " + path, e.problem().message());
        } catch (IOException e) {
            throw new UnusableInputException("--chart " + path, "cannot be read (" + FileErrors.text(e) + ")");
        }
    }
}
