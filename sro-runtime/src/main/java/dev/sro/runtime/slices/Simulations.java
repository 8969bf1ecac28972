package dev.sro.runtime.slices;

import dev.sro.core.model.FileErrors;
import dev.sro.core.slicing.geometry.Geometry;
import dev.sro.core.slicing.input.Suggestions;
import dev.sro.core.slicing.policy.PlacementPolicy;
import dev.sro.core.slicing.policy.Policies;
import dev.sro.core.slicing.simulate.Mix;
import dev.sro.core.slicing.simulate.Workload;
import dev.sro.runtime.UnusableInputException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** What a simulation is made of, from options and files. Stateless. */
final class Simulations {
    private Simulations() {}

    static PlacementPolicy policy(String name) {
        try {
            return Policies.named(name);
        } catch (IllegalArgumentException e) {
            throw new UnusableInputException("--policy", String.valueOf(e.getMessage()));
        }
    }

    /** A published mix by name, or weights by profile. */
    static Mix mix(Geometry geometry, String text) {
        if (text.contains("=")) {
            Mix mix = new Mix("own", ProfileArguments.numbers("--mix", text));
            mix.weights().keySet().forEach(profile -> ProfileArguments.profile(geometry.model(), "--mix", profile));
            if (mix.weights().values().stream().allMatch(weight -> weight == 0)) {
                throw new UnusableInputException("--mix", "no profile has a positive weight");
            }
            return mix;
        }
        boolean six = geometry.model().profiles().stream()
                        .filter(profile -> !profile.name().contains("+"))
                        .count()
                == 6;
        List<Mix> known = six && geometry.units() == 8 ? Mix.published(geometry) : List.of(Mix.uniform(geometry));
        return known.stream()
                .filter(mix -> mix.name().equals(text))
                .findFirst()
                .orElseThrow(() -> new UnusableInputException(
                        "--mix",
                        "\"" + text + "\" is not a mix for " + geometry.model().key() + "; there are "
                                + String.join(
                                        ", ", known.stream().map(Mix::name).toList())
                                + ", or weights such as 1g.5gb=3,7g.40gb=1"
                                + Suggestions.meant(
                                        text, known.stream().map(Mix::name).toList())));
    }

    /** A trace: lines of time, profile, holding time; {@code inf} for ever. The first line may be a heading. */
    static Workload trace(Geometry geometry, Path file) {
        List<Workload.Arrival> arrivals = new ArrayList<>();
        int number = 0;
        double before = 0;
        for (String line : lines(file)) {
            number++;
            if (line.isBlank() || line.startsWith("#") || (number == 1 && line.startsWith("time"))) {
                continue;
            }
            String where = file + ":" + number;
            String[] cells = line.split(",", -1);
            if (cells.length != 3) {
                throw new UnusableInputException(where, "needs three columns: time,profile,holding");
            }
            double time = number(where, "time", cells[0]);
            double holding =
                    cells[2].strip().equals("inf") ? Double.POSITIVE_INFINITY : number(where, "holding", cells[2]);
            if (time < before) {
                throw new UnusableInputException(where, "time " + time + " is before the line above");
            }
            before = time;
            arrivals.add(new Workload.Arrival(
                    time, ProfileArguments.profile(geometry.model(), where + ": profile", cells[1].strip()), holding));
        }
        return new Workload("trace " + file.getFileName(), arrivals, 0, false);
    }

    private static List<String> lines(Path file) {
        try {
            return Files.readAllLines(file);
        } catch (IOException e) {
            throw new UnusableInputException(file.toString(), "cannot be read (" + FileErrors.text(e) + ")");
        }
    }

    private static double number(String where, String column, String text) {
        try {
            double value = Double.parseDouble(text.strip());
            if (value >= 0 && value < 1e15) {
                return value;
            }
        } catch (NumberFormatException e) {
            // Said below, with the place.
        }
        throw new UnusableInputException(where, column + ": \"" + text.strip() + "\" is not a number of 0 or more");
    }
}
