package dev.sro.runtime.docs;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The fenced blocks of all pages, and the words of the commands in them. Stateless. */
final class PageBlocks {
    private static final Pattern BLOCK = Pattern.compile("(?ms)^( *)```([a-z]*)\\n(.*?)^ *```");

    /** What begins with a colon is an image: {@code sro:0.1.0}. */
    private static final Pattern COMMAND = Pattern.compile("^(?:\\S*/)?sro ((?!:).*)$");

    private static final Pattern WORD = Pattern.compile("(?:'[^']*'|\"[^\"]*\"|[^\\s'\"])+");

    /**
     * A block.
     *
     * @param language as the fence names it; empty for none
     * @param text without the indent of the fence
     */
    record Block(String page, String language, String text) {}

    private PageBlocks() {}

    static List<Block> all() throws IOException {
        List<Block> blocks = new ArrayList<>();
        for (String page : DocsTest.pages().toList()) {
            for (MatchResult found :
                    BLOCK.matcher(DocsTest.read(page)).results().toList()) {
                String indent = found.group(1);
                blocks.add(new Block(
                        page,
                        found.group(2),
                        found.group(3)
                                .lines()
                                .map(line -> line.startsWith(indent) ? line.substring(indent.length()) : line)
                                .collect(Collectors.joining("\n", "", "\n"))));
            }
        }
        return blocks;
    }

    /** The lines of blocks for a shell, with the page that each is on first. */
    static Map<String, String> lines() throws IOException {
        Map<String, String> lines = new LinkedHashMap<>();
        for (Block block : all()) {
            if (!block.language().isEmpty() && !block.language().equals("sh")) {
                continue;
            }
            for (String line : block.text().replace("\\\n", " ").split("\n", -1)) {
                if (!line.isBlank()) {
                    lines.putIfAbsent(line.strip().replaceAll("\\s+", " "), block.page());
                }
            }
        }
        return lines;
    }

    /** The commands of these lines, each part of a pipe by itself, with the page that each is on first. */
    static Map<String, String> commands() throws IOException {
        Map<String, String> commands = new LinkedHashMap<>();
        lines().forEach((line, page) -> parts(line).forEach(part -> commands.putIfAbsent(part, page)));
        return commands;
    }

    /** The commands of a line. */
    static List<String> parts(String line) {
        return Stream.of(line.split(" \\| | && ", -1))
                .filter(part -> !part.isBlank())
                .toList();
    }

    /** The arguments of a command of SRO's, or nothing where it is another program's. */
    static List<String> arguments(String command) {
        Matcher own = COMMAND.matcher(command);
        return own.matches() ? words(own.group(1)) : List.of();
    }

    /** The words of a shell's line, up to what it writes into. */
    static List<String> words(String line) {
        List<String> words = new ArrayList<>();
        for (MatchResult word : WORD.matcher(line).results().toList()) {
            String text = word.group();
            if (text.startsWith(">") || text.equals("2>") || text.equals("#")) {
                break;
            }
            words.add(text.replaceAll("['\"]", ""));
        }
        return words;
    }
}
