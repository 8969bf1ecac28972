package dev.sro.runtime.explain;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The tables of the documentation that say what codes mean, which are packed with the command line. Stateless. */
final class CodePages {

    private static final List<String> PAGES =
            List.of("docs/reference/problems.md", "docs/reference/plugin-loading.md", "docs/admins/recipes.md");

    private static final Pattern CODE = Pattern.compile("`([A-Z][A-Za-z0-9]+)`");
    private static final Pattern LINK = Pattern.compile("\\[([^\\]]*)]\\(([^)]*)\\)");
    private static final Pattern CELL = Pattern.compile("(?<!\\\\)\\|");

    private CodePages() {}

    /**
     * A row of a table.
     *
     * @param codes those that it explains
     * @param titles of its columns, without that of the codes
     * @param texts in its columns; a link is its text with where it leads
     * @param page where it is
     * @param heading of its table
     */
    record Entry(List<String> codes, List<String> titles, List<String> texts, String page, String heading) {}

    /** All rows, page after page. */
    static List<Entry> read() {
        List<Entry> entries = new ArrayList<>();
        PAGES.forEach(page -> read(page, entries));
        return entries;
    }

    private static void read(String page, List<Entry> entries) {
        String heading = "";
        List<String> titles = List.of();
        for (String line : text(page).split("\n", -1)) {
            if (line.startsWith("#")) {
                heading = line.replaceFirst("^#+ *", "");
            }
            if (!line.startsWith("|")) {
                titles = List.of();
                continue;
            }
            List<String> cells = cells(page, line);
            List<String> rest = cells.subList(1, cells.size());
            if (titles.isEmpty()) {
                titles = rest;
                continue;
            }
            List<String> codes = codes(cells.get(0));
            if (!codes.isEmpty()) {
                entries.add(new Entry(codes, titles, rest, page, heading));
            }
        }
    }

    private static List<String> cells(String page, String line) {
        List<String> cells = new ArrayList<>();
        for (String cell : CELL.split(line.strip().substring(1), 0)) {
            cells.add(LINK.matcher(cell.strip().replace("\\|", "|"))
                    .replaceAll(link ->
                            Matcher.quoteReplacement(link.group(1) + " (" + target(page, link.group(2)) + ")")));
        }
        return cells;
    }

    /** Where a link leads, from the root of the documentation's repository, as the name of the page is told. */
    private static String target(String page, String link) {
        return URI.create(page)
                .resolve(link.startsWith("#") ? page.substring(page.lastIndexOf('/') + 1) + link : link)
                .toString();
    }

    private static List<String> codes(String cell) {
        List<String> codes = new ArrayList<>();
        Matcher matcher = CODE.matcher(cell);
        while (matcher.find()) {
            codes.add(matcher.group(1));
        }
        return codes;
    }

    private static String text(String page) {
        try (InputStream in = CodePages.class.getResourceAsStream(page.substring(page.lastIndexOf('/') + 1))) {
            if (in == null) {
                throw new IllegalStateException("missing on the class path: " + page);
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
