package dev.sro.core.yaml;

import dev.sro.core.yaml.YamlToken.Kind;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Cuts a text into tokens, by the rules of YAML 1.1 and as libyaml and its descendants read them: tabs separate, a simple key has a
 * line and 1,024 characters. Not thread-safe.
 */
final class YamlScanner {

    /** So far from its colon a simple key may begin. */
    private static final int MAX_KEY = 1_024;

    /** What a token may not begin with, unless it is more than an indicator. */
    private static final String INDICATORS = "-?:,[]{}#&*!|>'\"%@`";

    /** Where a simple key may have begun. */
    private record SimpleKey(int token, boolean required, int index, int line, int column) {}

    private final YamlCharacters in;
    private final YamlScalars scalars;
    private final YamlTags tags;
    private final List<YamlToken> tokens = new ArrayList<>();
    private final Deque<Integer> indents = new ArrayDeque<>();
    private final List<@Nullable SimpleKey> keys = new ArrayList<>();
    private int taken;
    private int indent = -1;
    private boolean keyAllowed = true;
    private boolean ended;

    YamlScanner(YamlCharacters in) {
        this.in = in;
        this.scalars = new YamlScalars(in);
        this.tags = new YamlTags(in);
        keys.add(null);
    }

    /** The next token, which stays. */
    YamlToken peek() {
        while (!ended && needsMore()) {
            fetch();
        }
        return tokens.get(0);
    }

    /** Takes the next token. */
    YamlToken next() {
        YamlToken token = peek();
        tokens.remove(0);
        taken++;
        return token;
    }

    private int flow() {
        return keys.size() - 1;
    }

    private boolean needsMore() {
        if (tokens.isEmpty()) {
            return true;
        }
        dropStaleKeys();
        return keys.stream().anyMatch(key -> key != null && key.token == taken);
    }

    private void dropStaleKeys() {
        for (int i = 0; i < keys.size(); i++) {
            SimpleKey key = keys.get(i);
            if (key != null && (key.line < in.line() || key.index + MAX_KEY < in.index())) {
                drop(i);
            }
        }
    }

    private void drop(int level) {
        SimpleKey key = keys.get(level);
        if (key != null && key.required) {
            throw new YamlTree.InvalidTreeException(
                    "it is not valid YAML: a colon is expected after the key; correct the indentation, or put the value"
                            + " into quotes",
                    key.line);
        }
        keys.set(level, null);
    }

    private void saveKey() {
        if (keyAllowed) {
            drop(flow());
            boolean required = flow() == 0 && indent == in.column();
            keys.set(flow(), new SimpleKey(taken + tokens.size(), required, in.index(), in.line(), in.column()));
        }
    }

    private void add(Kind kind) {
        tokens.add(YamlToken.of(kind, in.line()));
    }

    private void roll(int column, int token, Kind kind, int line) {
        if (flow() == 0 && indent < column) {
            indents.push(indent);
            indent = column;
            YamlToken start = YamlToken.of(kind, line);
            if (token < 0) {
                tokens.add(start);
            } else {
                tokens.add(token - taken, start);
            }
        }
    }

    private void unroll(int column) {
        while (flow() == 0 && indent > column) {
            add(Kind.BLOCK_END);
            indent = indents.pop();
        }
    }

    private void fetch() {
        toNextToken();
        dropStaleKeys();
        unroll(in.column());
        char c = in.peek();
        if (in.isAtEnd()) {
            end();
        } else if (in.column() == 0 && c == '%') {
            topLevel();
            tokens.add(tags.directive());
        } else if (in.isDocumentMark()) {
            topLevel();
            add(c == '-' ? Kind.DOCUMENT_START : Kind.DOCUMENT_END);
            in.skip(3);
        } else if (!structure(c)) {
            content(c);
        }
    }

    private void toNextToken() {
        while (true) {
            while (in.peek() == ' ' || ((flow() > 0 || !keyAllowed) && in.peek() == '\t')) {
                in.next();
            }
            if (in.peek() == '#') {
                in.skipToBreak();
            }
            if (!in.isBreak(0)) {
                return;
            }
            in.nextBreak();
            if (flow() == 0) {
                keyAllowed = true;
            }
        }
    }

    private void topLevel() {
        unroll(-1);
        drop(flow());
        keyAllowed = false;
    }

    private void end() {
        topLevel();
        add(Kind.STREAM_END);
        ended = true;
    }

    /** What opens, closes and separates. */
    private boolean structure(char c) {
        boolean separate = in.isBlankOrBreakOrEnd(1);
        if (c == '[' || c == '{') {
            saveKey();
            keys.add(null);
            keyAllowed = true;
            add(c == '[' ? Kind.FLOW_LIST : Kind.FLOW_MAP);
        } else if (c == ']' || c == '}') {
            drop(flow());
            if (flow() > 0) {
                keys.remove(flow());
            }
            keyAllowed = false;
            add(c == ']' ? Kind.FLOW_LIST_END : Kind.FLOW_MAP_END);
        } else if (c == ',') {
            drop(flow());
            keyAllowed = true;
            add(Kind.FLOW_ENTRY);
        } else if (c == '-' && separate) {
            entry();
        } else if (c == '?' && (flow() > 0 || separate)) {
            inBlock("a key is not allowed here", Kind.BLOCK_MAP);
            drop(flow());
            keyAllowed = flow() == 0;
            add(Kind.KEY);
        } else if (c == ':' && (flow() > 0 || separate)) {
            colon();
        } else {
            return false;
        }
        in.next();
        return true;
    }

    private void entry() {
        inBlock("an item of a list is not allowed here", Kind.BLOCK_LIST);
        drop(flow());
        keyAllowed = true;
        add(Kind.BLOCK_ENTRY);
    }

    private void inBlock(String why, Kind kind) {
        if (flow() == 0) {
            if (!keyAllowed) {
                throw in.invalid(why + "; correct the indentation, or put the value into quotes");
            }
            roll(in.column(), -1, kind, in.line());
        }
    }

    private void colon() {
        SimpleKey key = keys.get(flow());
        if (key != null) {
            tokens.add(key.token - taken, YamlToken.of(Kind.KEY, key.line));
            roll(key.column, key.token, Kind.BLOCK_MAP, key.line);
            keys.set(flow(), null);
            keyAllowed = false;
        } else {
            inBlock("a colon makes a key of what cannot be one", Kind.BLOCK_MAP);
            keyAllowed = flow() == 0;
        }
        add(Kind.VALUE);
    }

    private void content(char c) {
        if (c == '*' || c == '&') {
            saveKey();
            keyAllowed = false;
            tokens.add(tags.anchor());
        } else if (c == '!') {
            saveKey();
            keyAllowed = false;
            tokens.add(tags.tag());
        } else if ((c == '|' || c == '>') && flow() == 0) {
            drop(flow());
            keyAllowed = true;
            tokens.add(scalars.block(indent));
        } else if (c == '\'' || c == '"') {
            saveKey();
            keyAllowed = false;
            tokens.add(scalars.quoted());
        } else if (isPlain(c)) {
            saveKey();
            keyAllowed = false;
            tokens.add(scalars.plain(indent, flow() > 0));
            keyAllowed = scalars.endedOnNewLine();
        } else {
            throw in.invalid((c == '\t' ? "a tab indents nothing; use blanks" : "nothing begins with " + c)
                    + (c == '\t' ? "" : "; put the value into quotes"));
        }
    }

    private boolean isPlain(char c) {
        return (!in.isBlankOrBreakOrEnd(0) && INDICATORS.indexOf(c) < 0)
                || (c == '-' && !in.isBlank(1))
                || (flow() == 0 && (c == '?' || c == ':') && !in.isBlankOrBreakOrEnd(1));
    }
}
