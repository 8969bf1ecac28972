package dev.sro.testkit.schema;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;

/** Names that the server's language has for texts of a few values: the decoder's errors speak of them. Stateless. */
final class GoEnums {
    /** By {@code Struct.field}: the file says where it is from. */
    private static final Map<String, String> TYPES = read();

    private GoEnums() {}

    private static Map<String, String> read() {
        try (InputStream in = Objects.requireNonNull(GoEnums.class.getResourceAsStream("go-enums.txt"))) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> !line.startsWith("#"))
                    .map(line -> line.split(" ", 2))
                    .collect(Collectors.toUnmodifiableMap(
                            words -> words[0], words -> words[1].contains(".") ? words[1] : "v1." + words[1]));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The type of a text. */
    static String type(String owner, String field) {
        return TYPES.getOrDefault(owner + "." + field, "string");
    }
}
