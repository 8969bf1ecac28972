package dev.sro.core.image;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads TOML 1.0, as far as registries.conf goes: tables, arrays of tables, strings on one line, numbers, booleans, arrays and
 * inline tables. For one use.
 */
final class Toml {

    private final String source;
    private final String text;
    private int at;
    private int line = 1;

    private Toml(String source, String text) {
        this.source = source;
        this.text = text;
    }

    /**
     * The document as maps, lists, strings, numbers and booleans.
     *
     * @throws IllegalArgumentException if it cannot be read; the message names the line
     */
    static Map<String, Object> parse(String source, String text) {
        return new Toml(source, text).document();
    }

    private Map<String, Object> document() {
        Map<String, Object> root = new LinkedHashMap<>();
        Map<String, Object> table = root;
        for (blanks(true); at < text.length(); blanks(true)) {
            if (peek() == '[') {
                table = header(root);
            } else {
                pair(table);
            }
            blanks(false);
            if (at < text.length() && peek() != '\n') {
                throw wrong("one pair is on a line");
            }
        }
        return root;
    }

    private Map<String, Object> header(Map<String, Object> root) {
        at++;
        boolean many = peek() == '[';
        at += many ? 1 : 0;
        List<String> keys = keys();
        expect(']');
        if (many) {
            expect(']');
        }
        Map<String, Object> parent = inner(root, keys.subList(0, keys.size() - 1));
        String last = keys.get(keys.size() - 1);
        if (!many) {
            return inner(parent, List.of(last));
        }
        Map<String, Object> entry = new LinkedHashMap<>();
        if (!(parent.computeIfAbsent(last, unused -> new ArrayList<>()) instanceof List<?> list)) {
            throw wrong(last + " is a table and a list of tables");
        }
        cast(list).add(entry);
        return entry;
    }

    private Map<String, Object> inner(Map<String, Object> from, List<String> keys) {
        Map<String, Object> table = from;
        for (String key : keys) {
            Object next = table.computeIfAbsent(key, unused -> new LinkedHashMap<>());
            if (next instanceof List<?> list && !list.isEmpty()) {
                next = cast(list).get(list.size() - 1);
            }
            if (!(next instanceof Map<?, ?> map)) {
                throw wrong(key + " is no table");
            }
            table = cast(map);
        }
        return table;
    }

    private void pair(Map<String, Object> table) {
        List<String> keys = keys();
        expect('=');
        blanks(false);
        Map<String, Object> target = inner(table, keys.subList(0, keys.size() - 1));
        String last = keys.get(keys.size() - 1);
        if (target.containsKey(last)) {
            throw wrong(last + " is there twice");
        }
        target.put(last, value());
    }

    private List<String> keys() {
        List<String> keys = new ArrayList<>();
        do {
            at += keys.isEmpty() ? 0 : 1;
            blanks(false);
            keys.add(peek() == '"' || peek() == '\'' ? string() : word("-_"));
            blanks(false);
        } while (peek() == '.');
        return keys;
    }

    /** @param others what may be in it beside letters and digits */
    private String word(String others) {
        int start = at;
        while (at < text.length()
                && (Character.isLetterOrDigit(text.charAt(at)) || others.indexOf(text.charAt(at)) >= 0)) {
            at++;
        }
        if (start == at) {
            throw wrong(at < text.length() ? "'" + peek() + "' is not expected here" : "it ends too early");
        }
        return text.substring(start, at);
    }

    private Object value() {
        return switch (peek()) {
            case '"', '\'' -> string();
            case '[' -> array();
            case '{' -> inline();
            default -> scalar(word("-_+.:"));
        };
    }

    private Object scalar(String word) {
        if (word.equals("true") || word.equals("false")) {
            return word.equals("true");
        }
        try {
            return Long.parseLong(word);
        } catch (NumberFormatException e) {
            throw wrong("\"" + word + "\" is no value; texts are in quotes");
        }
    }

    private List<Object> array() {
        List<Object> items = new ArrayList<>();
        at++;
        for (blanks(true); peek() != ']'; blanks(true)) {
            items.add(value());
            blanks(true);
            if (peek() == ',') {
                at++;
            } else if (peek() != ']') {
                throw wrong("a comma or ] is missing");
            }
        }
        at++;
        return items;
    }

    private Map<String, Object> inline() {
        Map<String, Object> table = new LinkedHashMap<>();
        at++;
        for (blanks(false); peek() != '}'; blanks(false)) {
            pair(table);
            blanks(false);
            if (peek() == ',') {
                at++;
            } else if (peek() != '}') {
                throw wrong("a comma or } is missing");
            }
        }
        at++;
        return table;
    }

    private String string() {
        char quote = peek();
        if (text.startsWith(String.valueOf(quote).repeat(3), at)) {
            throw wrong("texts of several lines are not read");
        }
        StringBuilder result = new StringBuilder();
        for (at++; at >= text.length() || peek() != quote; at++) {
            char c = at < text.length() ? peek() : '\n';
            if (c == '\n') {
                throw wrong("the text does not end on its line");
            }
            result.append(c == '\\' && quote == '"' ? escaped() : c);
        }
        at++;
        return result.toString();
    }

    private char escaped() {
        at++;
        return switch (peek()) {
            case 'n' -> '\n';
            case 't' -> '\t';
            case '"', '\\' -> peek();
            default -> throw wrong("\\" + peek() + " is not read");
        };
    }

    /** Goes over blanks and comments, and over ends of lines where these mean nothing. */
    private void blanks(boolean lines) {
        while (at < text.length()) {
            char c = text.charAt(at);
            if (c == '#') {
                while (at < text.length() && text.charAt(at) != '\n') {
                    at++;
                }
            } else if (c == ' ' || c == '\t' || c == '\r' || (c == '\n' && lines)) {
                line += c == '\n' ? 1 : 0;
                at++;
            } else {
                return;
            }
        }
    }

    private void expect(char wanted) {
        blanks(false);
        if (peek() != wanted) {
            throw wrong("'" + wanted + "' is missing");
        }
        at++;
    }

    private char peek() {
        if (at >= text.length()) {
            throw wrong("it ends too early");
        }
        return text.charAt(at);
    }

    private IllegalArgumentException wrong(String why) {
        return new IllegalArgumentException(source + ", line " + line + ": " + why);
    }

    @SuppressWarnings("unchecked")
    private static List<Object> cast(List<?> list) {
        return (List<Object>) list;
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> cast(Map<?, ?> map) {
        return (Map<String, Object>) map;
    }
}
