package dev.sro.runtime.plan;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;

/** A ConfigMap with a chart in it. Stateless. */
public final class ChartMap {

    private static final int BLOCK = 512;

    private ChartMap() {}

    /** The ConfigMap as YAML, with the chart of a folder as the only archive. */
    public static String of(Path chart, String namespace, String name) throws IOException {
        String archive = Base64.getEncoder().encodeToString(archive(chart));
        return "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: " + name + ", namespace: " + namespace
                + "}\nbinaryData:\n  chart-0.0.1.tgz: " + archive + "\n";
    }

    private static byte[] archive(Path chart) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (OutputStream out = new GZIPOutputStream(bytes);
                Stream<Path> walk = Files.walk(chart)) {
            List<Path> files = walk.filter(Files::isRegularFile).sorted().toList();
            for (Path file : files) {
                String name = "chart/" + chart.relativize(file).toString().replace('\\', '/');
                byte[] content = Files.readAllBytes(file);
                out.write(header(name, content.length));
                out.write(Arrays.copyOf(content, (content.length + BLOCK - 1) / BLOCK * BLOCK));
            }
            out.write(new byte[2 * BLOCK]);
        }
        return bytes.toByteArray();
    }

    private static byte[] header(String name, int size) {
        byte[] header = new byte[BLOCK];
        put(header, 0, name);
        put(header, 100, "0000644\0" + "0000000\0" + "0000000\0");
        put(header, 124, String.format("%011o\0", size) + "00000000000\0" + "        0");
        put(header, 257, "ustar\00000");
        int sum = 0;
        for (byte each : header) {
            sum += each & 0xff;
        }
        put(header, 148, String.format("%06o\0 ", sum));
        return header;
    }

    private static void put(byte[] header, int at, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
        System.arraycopy(bytes, 0, header, at, bytes.length);
    }
}
