package dev.sro.runtime.slices;

import dev.sro.core.model.TreeLiterals;
import dev.sro.core.slicing.SliceClaim;
import dev.sro.core.slicing.SliceDevice;
import dev.sro.core.slicing.SliceSnapshot;
import dev.sro.core.slicing.render.DeviceView;
import dev.sro.core.slicing.render.SlicePictures;
import dev.sro.runtime.SafeOutput;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

/** Turns answers into text. Stateless. */
final class Output {
    /** A cell that is wider moves nobody else's: one long name among many rows would make a page of spaces of each. */
    private static final int WIDEST = 200;

    private Output() {}

    /** A map that keeps the order of its pairs; pairs with an empty string, list or map are left out. */
    static Map<String, Object> object(Object... pairs) {
        return TreeLiterals.present(pairs);
    }

    /** Refuses a format that a command does not have. */
    static void allow(CommandSpec spec, Format format, Format... allowed) {
        if (format != Format.TABLE && !List.of(allowed).contains(format)) {
            throw new CommandLine.ParameterException(
                    spec.commandLine(), "-o " + format + ": " + spec.qualifiedName() + " has only " + List.of(allowed));
        }
    }

    /** Devices with what they carry and what still fits. */
    static Map<String, Object> fleet(SliceSnapshot fleet) {
        List<Object> devices = new ArrayList<>();
        List<DeviceView> views = SlicePictures.create().views(fleet);
        Map<String, List<Object>> instances = new LinkedHashMap<>();
        for (SliceClaim claim : fleet.claims()) {
            instances.computeIfAbsent(claim.device(), id -> new ArrayList<>()).add(instance(claim));
        }
        for (int i = 0; i < views.size(); i++) {
            SliceDevice device = fleet.devices().get(i);
            DeviceView view = views.get(i);
            Map<String, Object> tree = object(
                    "name",
                    device.id(),
                    "model",
                    device.model().key(),
                    "node",
                    device.node(),
                    "topologyGroup",
                    device.topologyGroup(),
                    "labels",
                    device.labels(),
                    "instances",
                    instances.getOrDefault(device.id(), List.of()),
                    "fits",
                    view.fits());
            if (device.cordoned()) {
                tree.put("cordoned", true);
            }
            devices.add(tree);
        }
        return object("stateHash", String.format("%016x", fleet.stateHash()), "devices", devices);
    }

    private static Map<String, Object> instance(SliceClaim claim) {
        Map<String, Object> tree = object("claim", claim.id(), "profile", claim.profile(), "start", claim.start());
        if (claim.foreign()) {
            tree.put("foreign", true);
        }
        if (claim.pinned()) {
            tree.put("pinned", true);
        }
        if (claim.disruptionCost() != 1) {
            tree.put("disruptionCost", claim.disruptionCost());
        }
        claim.reservedUntil().ifPresent(time -> tree.put("reservedUntil", time.toString()));
        return tree;
    }

    /**
     * Columns as wide as their widest cell, but for those that are wider than any screen, numbers to the right. What others wrote into a
     * cell stays on its line.
     */
    static String table(List<List<String>> written) {
        List<List<String>> rows = written.stream()
                .map(row -> row.stream().map(SafeOutput::oneLine).toList())
                .toList();
        int columns = rows.stream().mapToInt(List::size).max().orElse(0);
        int[] widths = new int[columns];
        rows.forEach(row -> {
            for (int i = 0; i < row.size(); i++) {
                int width = row.get(i).length();
                widths[i] = width > WIDEST ? widths[i] : Math.max(widths[i], width);
            }
        });
        StringBuilder text = new StringBuilder();
        for (List<String> row : rows) {
            StringBuilder line = new StringBuilder();
            for (int i = 0; i < row.size(); i++) {
                String cell = row.get(i);
                String pad = " ".repeat(Math.max(0, widths[i] - cell.length()));
                boolean number = cell.matches("-?[0-9][0-9.,%/]*");
                line.append(i == 0 ? "" : "  ").append(number ? pad + cell : cell + pad);
            }
            text.append(line.toString().stripTrailing()).append('\n');
        }
        return text.toString();
    }
}
