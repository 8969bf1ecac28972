package dev.sro.core.recipe.chart;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/** Charts with a mistake or two in them, the same for the same seed. */
final class ChartMutator {
    private static final List<String> BASES = List.of("states", "dependencies", "functions", "order", "legacy");

    private static final List<String> PIECES = List.of(
            "{{ end }}",
            "{{ if .Values.a }}",
            "{{ fail \"mutated\" }}",
            "{{ required \"mutated\" .Values.none }}",
            "{{ .Values.none.none.none }}",
            "{{ range .Values }}{{ . }}{{ end }}",
            "{{ include \"none\" . }}",
            "{{ .Capabilities.APIVersions.Has .Release.Name }}",
            "{{ $x := .Capabilities.APIVersions }}{{ $x.Has \"v1\" }}",
            "{{ with $ }}{{ .Capabilities.APIVersions | len }}{{ end }}",
            "{{ .Capabilities.KubeVersion }}",
            "{{ .Template.Name }}",
            "{{ set .Values \"a\" \"b\" | toJson }}",
            "{{ set . \"Values\" (dict) }}",
            "{{ tpl \"{{ .Release.Name }}\" $ }}",
            "{{- /* comment */ -}}",
            "{{ define \"mutated\" }}x{{ end }}{{ template \"mutated\" }}",
            "{{",
            "}}",
            "\n---\n",
            "\n  - ",
            ": ",
            "\"",
            "\t",
            "#");

    private final Random random;

    ChartMutator(long seed) {
        random = new Random(seed);
    }

    /** An archive. */
    byte[] archive() {
        Map<String, byte[]> files = new TreeMap<>();
        Chart chart = Fixtures.chart(BASES.get(random.nextInt(BASES.size())));
        ChartAssembler.flatten(chart).forEach((path, file) -> files.put(path, file.bytes()));
        int mistakes = 1 + random.nextInt(2);
        for (int i = 0; i < mistakes; i++) {
            // Of notes, ours has the definitions only.
            List<String> paths = files.keySet().stream()
                    .filter(path -> !path.endsWith("NOTES.txt"))
                    .toList();
            String path = paths.get(random.nextInt(paths.size()));
            String text = new String(files.get(path), StandardCharsets.UTF_8);
            files.put(path, mutated(text).getBytes(StandardCharsets.UTF_8));
        }
        return TarWriter.archive(chart.name(), files);
    }

    private String mutated(String text) {
        int at = random.nextInt(text.length() + 1);
        int end = Math.min(text.length(), at + 1 + random.nextInt(10));
        return switch (random.nextInt(4)) {
            case 0 -> text.substring(0, at) + text.substring(end);
            case 1 -> text.substring(0, end) + text.substring(at);
            default -> {
                int line = text.lastIndexOf('\n', at) + 1;
                String piece = PIECES.get(random.nextInt(PIECES.size()));
                int place = random.nextBoolean() ? line : at;
                yield text.substring(0, place) + piece + text.substring(place);
            }
        };
    }
}
