package dev.sro.core.slicing.render;

import dev.sro.core.slicing.geometry.Geometry;
import java.util.List;

/** Devices as SVG: rows that wrap into columns, a box for each instance, what still fits below. Stateless. */
final class SvgPicture {
    private static final int WIDTH = 720;
    private static final int GAP = 24;
    private static final int ROW = 92;
    private static final int TOP = 64;
    private static final int BAR = 40;
    /** Rows of a column before the next one begins. */
    private static final int ROWS = 16;
    /** Width of a character of 12 pixels in a generic sans-serif font, with room to spare. */
    private static final double CHARACTER = 7.2;

    /** Fill by compute slices, light enough for black text, and told apart by people who see fewer colours. */
    private static final String[] FILLS = {
        "#d9d9d9", "#a6cee3", "#b2df8a", "#fdbf6f", "#cab2d6", "#fb9a99", "#ffff99", "#80cdc1", "#dfc27d"
    };

    private SvgPicture() {}

    static String draw(String title, String summary, List<DeviceView> devices) {
        int columns = Math.max(1, (devices.size() + ROWS - 1) / ROWS);
        int rows = (devices.size() + columns - 1) / columns;
        int width = columns * (WIDTH + GAP) + GAP;
        int height = TOP + rows * ROW + GAP;
        StringBuilder svg = new StringBuilder();
        svg.append(
                        "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" aria-labelledby=\"title desc\" viewBox=\"0 0 ")
                .append(width + " " + height + "\" width=\"" + width + "\" height=\"" + height)
                .append("\" font-family=\"sans-serif\" font-size=\"12\">\n");
        svg.append("<title id=\"title\">").append(escape(title)).append("</title>\n");
        svg.append("<desc id=\"desc\">").append(escape(summary)).append("</desc>\n");
        svg.append("<defs><pattern id=\"foreign\" width=\"8\" height=\"8\" patternUnits=\"userSpaceOnUse\">")
                .append("<rect width=\"8\" height=\"8\" fill=\"#eeeeee\"/>")
                .append("<path d=\"M0 8L8 0\" stroke=\"#999999\" stroke-width=\"1\"/></pattern></defs>\n");
        svg.append("<rect width=\"" + width + "\" height=\"" + height + "\" fill=\"#ffffff\"/>\n");
        text(svg, GAP, 26, "font-size=\"16\" font-weight=\"bold\"", title);
        text(svg, GAP, 46, "fill=\"#444444\"", summary);
        for (int i = 0; i < devices.size(); i++) {
            device(svg, devices.get(i), GAP + i / rows * (WIDTH + GAP), TOP + i % rows * ROW);
        }
        return svg.append("</svg>\n").toString();
    }

    private static void device(StringBuilder svg, DeviceView device, int x, int y) {
        Geometry geometry = device.geometry();
        svg.append("<g>\n");
        text(svg, x, y + 14, "font-weight=\"bold\"", TextPicture.head(device));
        int cell = WIDTH / geometry.units();
        int blocked = device.blockedUnits();
        for (int unit = 0; unit < geometry.units(); unit++) {
            boolean closed = (blocked >>> unit & 1) != 0;
            rect(svg, x + unit * cell, y + 20, cell, closed ? "url(#foreign)" : "#ffffff", "#bbbbbb", "2 3");
        }
        for (DeviceView.Instance instance : device.instances()) {
            instance(svg, geometry, instance, x, y + 20, cell);
        }
        if (device.cordoned()) {
            rect(svg, x, y + 20, cell * geometry.units(), "none", "#b30000", "6 4");
        }
        String fits = TextPicture.fits(device);
        int room = (int) (WIDTH / CHARACTER) + 10;
        text(
                svg,
                x,
                y + 76,
                "font-size=\"11\" fill=\"" + (device.cordoned() ? "#b30000" : "#444444") + "\"",
                fits.length() <= room ? fits : fits.substring(0, fits.lastIndexOf(" or ", room)) + " ...");
        svg.append("</g>\n");
    }

    private static void instance(
            StringBuilder svg, Geometry geometry, DeviceView.Instance instance, int x, int y, int cell) {
        int profile = geometry.profileOf(instance.placement());
        int start = geometry.startOf(instance.placement());
        int size = geometry.sizeOf(profile);
        String name = geometry.profile(profile).name();
        svg.append("<g><title>")
                .append(escape((instance.label().isEmpty() ? "" : instance.label() + ": ") + name + ", units " + start
                        + " to " + (start + size - 1) + (instance.foreign() ? ", foreign" : "")))
                .append("</title>\n");
        int compute = geometry.profile(profile).computeSlices();
        String fill = instance.foreign() ? "url(#foreign)" : FILLS[Math.min(compute, FILLS.length - 1)];
        rect(svg, x + start * cell + 1, y, size * cell - 2, fill, "#333333", "");
        int room = (int) ((size * cell - 8) / CHARACTER);
        String label = instance.label().isEmpty() ? name : instance.label();
        int left = x + start * cell + 5;
        text(svg, left, y + 17, "", shorten(label, room));
        if (!instance.label().isEmpty()) {
            text(svg, left, y + 33, "font-size=\"11\" fill=\"#333333\"", shorten(name, room));
        }
        svg.append("</g>\n");
    }

    private static String shorten(String text, int room) {
        return text.length() <= room ? text : room < 2 ? "" : text.substring(0, room - 1) + "…";
    }

    private static void rect(StringBuilder svg, int x, int y, int width, String fill, String stroke, String dashes) {
        svg.append("<rect x=\"" + x + "\" y=\"" + y + "\" width=\"" + width + "\" height=\"" + BAR + "\" fill=\""
                        + fill)
                .append("\" stroke=\"" + stroke + "\"")
                .append(dashes.isEmpty() ? "" : " stroke-dasharray=\"" + dashes + "\"")
                .append("/>\n");
    }

    private static void text(StringBuilder svg, int x, int y, String style, String text) {
        svg.append("<text x=\"" + x + "\" y=\"" + y + "\"" + (style.isEmpty() ? "" : " " + style) + ">")
                .append(escape(text))
                .append("</text>\n");
    }

    /** What XML 1.0 cannot hold becomes a question mark. */
    private static String escape(String text) {
        return text.replaceAll("[^\\t\\n\\x20-\\uD7FF\\uE000-\\uFFFD\\x{10000}-\\x{10FFFF}]", "?")
                .replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }
}
