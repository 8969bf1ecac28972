package dev.sro.core.slicing.render;

import dev.sro.core.slicing.geometry.Geometry;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * One device as text: a head, a row with a box for each instance, and what still fits. Free units are dots, blocked ones
 * crosses; a foreign instance is filled with {@code #}. Stateless.
 */
final class TextPicture {
    /** Columns in which all units of a device are drawn, whatever their number. */
    private static final int WIDTH = 96;

    private TextPicture() {}

    static void append(StringBuilder text, DeviceView device) {
        text.append(head(device)).append('\n');
        Geometry geometry = device.geometry();
        int cell = Math.max(4, WIDTH / geometry.units());
        char[] row = new char[cell * geometry.units() + 1];
        Arrays.fill(row, ' ');
        int blocked = device.blockedUnits();
        for (int unit = 0; unit < geometry.units(); unit++) {
            row[unit * cell] = '|';
            row[unit * cell + cell / 2] = (blocked >>> unit & 1) == 0 ? '.' : 'x';
        }
        row[row.length - 1] = '|';
        for (DeviceView.Instance instance : device.instances()) {
            box(row, cell, geometry, instance);
        }
        text.append("  ").append(row).append('\n');
        text.append("  ").append(fits(device)).append("\n\n");
    }

    static String head(DeviceView device) {
        List<String> parts = new ArrayList<>();
        parts.add(device.name());
        parts.add(device.geometry().model().key());
        if (!device.node().isEmpty()) {
            parts.add("on " + device.node());
        }
        parts.add(device.usedUnits() + "/" + device.geometry().units());
        if (device.cordoned()) {
            parts.add("CORDONED");
        }
        return String.join("  ", parts);
    }

    static String fits(DeviceView device) {
        if (device.cordoned()) {
            return "takes nothing new";
        }
        Map<String, Integer> fits = device.fits();
        if (fits.isEmpty()) {
            return "full";
        }
        List<String> parts = new ArrayList<>();
        fits.forEach((profile, count) -> parts.add(count + " x " + profile));
        return "room for " + String.join(" or ", parts);
    }

    /** {@code label profile}, as far as there is room; the profile goes first where only one fits. */
    static String caption(Geometry geometry, DeviceView.Instance instance, int room) {
        String profile =
                geometry.profile(geometry.profileOf(instance.placement())).name();
        String whole = instance.label().isEmpty() ? profile : instance.label() + " " + profile;
        if (whole.length() <= room) {
            return whole;
        }
        String label = instance.label().isEmpty() ? profile : instance.label();
        return label.length() <= room ? label : room < 2 ? "" : label.substring(0, room - 1) + "~";
    }

    private static void box(char[] row, int cell, Geometry geometry, DeviceView.Instance instance) {
        int from = geometry.startOf(instance.placement()) * cell;
        int to = from + geometry.sizeOf(geometry.profileOf(instance.placement())) * cell;
        Arrays.fill(row, from + 1, to, instance.foreign() ? '#' : ' ');
        String caption = caption(geometry, instance, to - from - 3);
        for (int i = 0; i < caption.length(); i++) {
            row[from + 2 + i] = caption.charAt(i);
        }
        if (instance.foreign() && !caption.isEmpty()) {
            row[from + 1] = ' ';
            row[from + 2 + caption.length()] = ' ';
        }
        row[from] = '|';
        row[to] = '|';
    }
}
