package dev.sro.runtime.plan;

import dev.sro.core.engine.port.ImageLooks;
import dev.sro.runtime.UnusableInputException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import picocli.CommandLine.Option;

/** What is known of images of drivers while nothing but a look ahead is asked for. Filled by the command line parser. */
public final class ImageOptions {

    /** How to have states shown that wait for an image. */
    static final String HOW = "--image-exists IMAGE takes it as there, --image-missing IMAGE as missing, so that what"
            + " builds it is shown, --assume-built takes all as there, and --ask-registries asks";

    @Option(
            names = "--image-exists",
            paramLabel = "IMAGE",
            description =
                    "Take this image of a driver as there; * stands for anything. May be repeated. Default: of images"
                            + " nothing is known, and what needs one is not shown.")
    private List<String> there = new ArrayList<>();

    @Option(
            names = "--image-missing",
            paramLabel = "IMAGE",
            description = "Take this image of a driver as missing, to see what builds it; * stands for anything. May be"
                    + " repeated. Goes over --image-exists.")
    private List<String> missing = new ArrayList<>();

    @Option(names = "--assume-built", description = "Take all other images of drivers as there.")
    private boolean all;

    @Option(
            names = "--ask-registries",
            description = "Ask the registries of all other images of drivers, from this machine: with the logins and"
                    + " mirrors of the cluster, or with none for the nodes of files.")
    private boolean ask;

    /** Filled by the command line parser. */
    public ImageOptions() {}

    /**
     * How images are looked for.
     *
     * @param registries asks them
     * @throws UnusableInputException if options do not go together
     */
    PreviewImages looks(Supplier<ImageLooks> registries) {
        if (all && ask) {
            throw new UnusableInputException(
                    "--ask-registries", "does not go with --assume-built; leave one of them out");
        }
        return new PreviewImages(there, missing, all, ask ? Optional.of(registries.get()) : Optional.empty());
    }
}
