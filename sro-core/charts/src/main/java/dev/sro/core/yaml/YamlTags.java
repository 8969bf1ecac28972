package dev.sro.core.yaml;

import dev.sro.core.yaml.YamlToken.Kind;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/** Reads anchors, aliases, tags and directives, as libyaml does. Not thread-safe. */
final class YamlTags {

    private static final String AFTER_ANCHOR = "?:,]}%@`";
    private static final String URI = "-_;/?:@&=+$,.!~*'()[]%";

    private final YamlCharacters in;

    YamlTags(YamlCharacters in) {
        this.in = in;
    }

    YamlToken anchor() {
        int line = in.line();
        Kind kind = in.next() == '*' ? Kind.ALIAS : Kind.ANCHOR;
        String name = word();
        if (name.isEmpty() || !(in.isBlankOrBreakOrEnd(0) || AFTER_ANCHOR.indexOf(in.peek()) >= 0)) {
            throw in.invalid("& and * are followed by a name of letters, digits, - and _; put the value into quotes");
        }
        return YamlToken.of(kind, name, line);
    }

    private String word() {
        StringBuilder word = new StringBuilder();
        while (isWord(in.peek())) {
            word.append(in.next());
        }
        return word.toString();
    }

    private static boolean isWord(char c) {
        return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_' || c == '-';
    }

    YamlToken tag() {
        int line = in.line();
        String handle;
        String suffix;
        if (in.peek(1) == '<') {
            in.skip(2);
            handle = "";
            suffix = uri("");
            if (in.peek() != '>') {
                throw in.invalid("a tag that begins with !< ends with >");
            }
            in.next();
        } else {
            handle = handle();
            if (handle.length() > 1 && handle.endsWith("!")) {
                suffix = uri("");
            } else {
                suffix = uri(handle);
                handle = "!";
                if (suffix.isEmpty()) {
                    handle = "";
                    suffix = "!";
                }
            }
        }
        if (!in.isBlankOrBreakOrEnd(0)) {
            throw in.invalid("behind a tag there is a blank; put the value into quotes");
        }
        return new YamlToken(Kind.TAG, suffix, handle, false, line);
    }

    private String handle() {
        in.next();
        String handle = "!" + word();
        if (in.peek() == '!') {
            in.next();
            return handle + "!";
        }
        return handle;
    }

    /** @param head a handle that turned out to be none: all but its first character is part of the rest */
    private String uri(String head) {
        StringBuilder text = new StringBuilder(head.length() > 1 ? head.substring(1) : "");
        boolean any = !head.isEmpty();
        while (isWord(in.peek()) || (!in.isAtEnd() && URI.indexOf(in.peek()) >= 0)) {
            any = true;
            if (in.peek() == '%') {
                text.append(escaped());
            } else {
                text.append(in.next());
            }
        }
        if (!any) {
            throw in.invalid("a tag has a name");
        }
        return text.toString();
    }

    private String escaped() {
        byte[] bytes = new byte[4];
        int count = 0;
        int width = 1;
        while (count < width) {
            int high = Character.digit(in.peek(1), 16);
            int low = Character.digit(in.peek(2), 16);
            if (in.peek() != '%' || high < 0 || low < 0) {
                throw in.invalid("% in a tag is followed by two hexadecimal digits");
            }
            int octet = high * 16 + low;
            if (count == 0) {
                width = octet < 0x80 ? 1 : octet >> 5 == 6 ? 2 : octet >> 4 == 14 ? 3 : octet >> 3 == 30 ? 4 : 0;
                if (width == 0) {
                    throw in.invalid("a tag has an escaped character that is not UTF-8");
                }
            }
            bytes[count] = (byte) octet;
            count++;
            in.skip(3);
        }
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes, 0, count))
                    .toString();
        } catch (CharacterCodingException e) {
            throw in.invalid("a tag has an escaped character that is not UTF-8");
        }
    }

    YamlToken directive() {
        int line = in.line();
        in.next();
        String name = word();
        YamlToken token;
        if (name.equals("YAML")) {
            blanks();
            String version = number() + dot() + number();
            token = YamlToken.of(Kind.VERSION, version, line);
        } else if (name.equals("TAG")) {
            blanks();
            if (in.peek() != '!') {
                throw in.invalid("%TAG is followed by a handle");
            }
            String handle = handle();
            if (handle.length() > 1 && !handle.endsWith("!")) {
                throw in.invalid("a handle ends with !");
            }
            blanks();
            token = new YamlToken(Kind.TAG_HANDLE, uri(""), handle, false, line);
        } else {
            throw in.invalid("there is no directive %" + name + "; put the value into quotes");
        }
        if (!in.isBlankOrBreakOrEnd(0) || !in.skipToBreak()) {
            throw in.invalid("behind a directive there is nothing in a line");
        }
        if (!in.isAtEnd()) {
            in.nextBreak();
        }
        return token;
    }

    private void blanks() {
        if (!in.isBlank(0)) {
            throw in.invalid("a directive has a blank behind each word");
        }
        while (in.isBlank(0)) {
            in.next();
        }
    }

    private String number() {
        StringBuilder digits = new StringBuilder();
        while (in.peek() >= '0' && in.peek() <= '9' && digits.length() < 9) {
            digits.append(in.next());
        }
        if (digits.length() == 0) {
            throw in.invalid("%YAML is followed by a version such as 1.1");
        }
        return String.valueOf(Integer.parseInt(digits.toString()));
    }

    private String dot() {
        if (in.peek() != '.') {
            throw in.invalid("%YAML is followed by a version such as 1.1");
        }
        return String.valueOf(in.next());
    }
}
