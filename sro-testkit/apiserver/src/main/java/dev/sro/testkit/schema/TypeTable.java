package dev.sro.testkit.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.sro.testkit.schema.TypeSchema.Field;
import dev.sro.testkit.schema.TypeSchema.ListKind;
import dev.sro.testkit.schema.TypeSchema.PatchStrategy;
import dev.sro.testkit.schema.TypeSchema.Presence;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Reader of the type table; its notation is described at the head of the file. */
final class TypeTable {
    private final Map<String, TypeSchema> types = new HashMap<>();
    private final Map<String, TypeSchema> kinds = new HashMap<>();
    /** Equal list and map types are one object: the table names some of them hundreds of times. */
    private final Map<String, TypeSchema> anonymous = new HashMap<>();

    private TypeTable() {}

    /** Types by {@code <apiVersion> <kind>}. */
    static Map<String, TypeSchema> read(String resource) {
        TypeTable table = new TypeTable();
        List<String> lines = lines(resource);
        for (String line : lines) {
            if (!line.startsWith("kind ")) {
                table.declare(line.split(" ")[0]);
            }
        }
        for (String line : lines) {
            String[] words = line.split(" ");
            if (words[0].equals("kind")) {
                table.kinds.put(words[1] + " " + words[2], table.struct(words[3]));
            } else {
                table.define(words);
            }
        }
        return Map.copyOf(table.kinds);
    }

    private static List<String> lines(String resource) {
        try (InputStream in = TypeTable.class.getResourceAsStream(resource)) {
            if (in == null) {
                throw new IllegalStateException("missing resource " + resource);
            }
            BufferedReader reader = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8));
            return reader.lines().filter(l -> !l.startsWith("#")).toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void declare(String name) {
        TypeSchema type = TypeSchema.struct(name.replace("~", ""));
        types.put(name.replace("~", ""), name.endsWith("~") ? type.asAtomic() : type);
    }

    private TypeSchema struct(String name) {
        TypeSchema type = types.get(name);
        if (type == null) {
            throw new IllegalStateException("undefined type " + name);
        }
        return type;
    }

    private void define(String[] words) {
        TypeSchema type = struct(words[0].replace("~", ""));
        for (int i = 1; i < words.length; i++) {
            int equals = words[i].indexOf('=');
            type.with(field(words[i].substring(0, equals), words[i].substring(equals + 1)));
        }
    }

    private Field field(String name, String spec) {
        String rest = spec;
        PatchStrategy patch = PatchStrategy.BY_TYPE;
        String patchKey = "";
        int caret = rest.indexOf('^');
        if (caret >= 0) {
            String strategy = rest.substring(caret + 1);
            rest = rest.substring(0, caret);
            if (strategy.isEmpty()) {
                patch = PatchStrategy.REPLACE;
            } else if (strategy.equals("+")) {
                patch = PatchStrategy.RETAIN_KEYS;
            } else {
                patchKey = strategy;
            }
        }
        Presence presence = Presence.OMIT_ZERO;
        if (rest.endsWith("!")) {
            presence = Presence.ALWAYS;
        } else if (rest.endsWith("*")) {
            presence = Presence.POINTER;
        }
        String bare = presence == Presence.OMIT_ZERO ? rest : rest.substring(0, rest.length() - 1);
        return new Field(name, "f:" + name, type(bare), presence, patch, patchKey);
    }

    private TypeSchema type(String spec) {
        return switch (spec) {
            case "s" -> TypeSchema.STRING;
            case "i" -> TypeSchema.NUMBER;
            case "b" -> TypeSchema.BOOLEAN;
            case "u" -> TypeSchema.UNTYPED;
            case "q" -> TypeSchema.QUANTITY;
            case "x" -> TypeSchema.deduced();
            default -> spec.charAt(0) == '[' || spec.charAt(0) == '{' ? container(spec) : struct(spec);
        };
    }

    private TypeSchema container(String spec) {
        TypeSchema known = anonymous.get(spec);
        if (known == null) {
            String inner = spec.substring(1, spec.length() - 1);
            known = spec.charAt(0) == '[' ? list(inner) : map(inner);
            anonymous.put(spec, known);
        }
        return known;
    }

    private TypeSchema map(String inner) {
        return inner.startsWith("~")
                ? TypeSchema.map(type(inner.substring(1))).asAtomic()
                : TypeSchema.map(type(inner));
    }

    private TypeSchema list(String inner) {
        if (inner.startsWith("=")) {
            return TypeSchema.list(ListKind.SET, type(inner.substring(1)));
        }
        int colon = inner.indexOf(':');
        if (colon < 0) {
            return TypeSchema.list(ListKind.ATOMIC, type(inner));
        }
        List<String> keys = new ArrayList<>();
        Map<String, JsonNode> defaults = new LinkedHashMap<>();
        for (String key : inner.substring(0, colon).split(",")) {
            int equals = key.indexOf('=');
            if (equals > 0) {
                defaults.put(key.substring(0, equals), TextNode.valueOf(key.substring(equals + 1)));
            }
            keys.add(equals > 0 ? key.substring(0, equals) : key);
        }
        return TypeSchema.mapList(type(inner.substring(colon + 1)), keys, defaults);
    }
}
