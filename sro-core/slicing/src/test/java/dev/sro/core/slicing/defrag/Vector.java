package dev.sro.core.slicing.defrag;

import dev.sro.core.slicing.fixture.ListFleet;
import dev.sro.core.slicing.geometry.Geometry;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/** One line of the table of fragmented fleets. */
record Vector(String line, ListFleet fleet, List<Integer> admit, int fewestDevices, int fewestMoves) {
    static final int INFEASIBLE = -1;

    static List<Vector> all(Geometry geometry) {
        try (InputStream in = Vector.class.getResourceAsStream("/dev/sro/core/slicing/defrag-vectors.txt")) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> !line.startsWith("#"))
                    .map(line -> parse(geometry, line))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Vector parse(Geometry geometry, String line) {
        String[] parts = line.split(";");
        ListFleet fleet = new ListFleet(geometry, new int[Integer.parseInt(parts[0].trim())]);
        for (String instance : parts[1].trim().split(" ")) {
            if (!instance.isEmpty()) {
                String[] numbers = instance.split("[@:]");
                int placement = geometry.placement(Integer.parseInt(numbers[0]), Integer.parseInt(numbers[2]));
                fleet.toggle(Integer.parseInt(numbers[1]), placement);
            }
        }
        List<Integer> admit = Arrays.stream(parts[2].trim().split(" "))
                .map(text -> text.equals("x") ? INFEASIBLE : Integer.parseInt(text))
                .toList();
        String[] compact = parts[3].trim().split(" ");
        return new Vector(line, fleet, admit, Integer.parseInt(compact[0]), Integer.parseInt(compact[1]));
    }

    @Override
    public String toString() {
        return line;
    }
}
