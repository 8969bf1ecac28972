package dev.sro.core.cel;

import dev.sro.core.cel.CelType.Kind;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What functions take and make, as far as it is known before they are run. Stateless. */
final class CelSignatures {
    private static final Map<String, CelType> RESULTS = results();
    private static final Set<Kind> SIZED = Set.of(Kind.STRING, Kind.BYTES, Kind.LIST, Kind.MAP, Kind.DYN);

    /** All that they take are texts. */
    private static final Set<String> OF_TEXTS = Set.of(
            "contains",
            "startsWith",
            "endsWith",
            "matches",
            "lowerAscii",
            "upperAscii",
            "trim",
            "isURL",
            "isIP",
            "isCIDR");

    private CelSignatures() {}

    private static Map<String, CelType> results() {
        Map<String, CelType> out = new HashMap<>();
        for (String name : List.of(
                "contains",
                "startsWith",
                "endsWith",
                "matches",
                "isSorted",
                "hasValue",
                "bool",
                "isQuantity",
                "isURL",
                "isIP",
                "isCIDR",
                "isUnspecified",
                "isLoopback",
                "isLinkLocalMulticast",
                "isLinkLocalUnicast",
                "isGlobalUnicast",
                "containsIP",
                "containsCIDR",
                "isSemver",
                "isInteger",
                "isGreaterThan",
                "isLessThan",
                "equivalent",
                "intersects")) {
            out.put(name, CelType.BOOL);
        }
        for (String name : List.of(
                "size",
                "int",
                "uint",
                "indexOf",
                "lastIndexOf",
                "asInteger",
                "sign",
                "compareTo",
                "family",
                "prefixLength",
                "major",
                "minor",
                "patch")) {
            out.put(name, CelType.INT);
        }
        for (String name : List.of(
                "string",
                "join",
                "lowerAscii",
                "upperAscii",
                "replace",
                "substring",
                "trim",
                "charAt",
                "format",
                "find",
                "quote",
                "escapeKey",
                "getScheme",
                "getHost",
                "getHostname",
                "getPort",
                "getEscapedPath")) {
            out.put(name, CelType.STRING);
        }
        out.put("split", CelType.list(CelType.STRING));
        out.put("findAll", CelType.list(CelType.STRING));
        out.put("double", CelType.DOUBLE);
        out.put("timestamp", CelType.simple(Kind.TIMESTAMP));
        out.put("duration", CelType.simple(Kind.DURATION));
        return Map.copyOf(out);
    }

    /** Whether there is a function of this name. */
    static boolean isKnown(String function) {
        return CelFunctions.NAMES.contains(function) || CelAuthorizer.isFunction(function);
    }

    /** What the function makes of anything; dynamic where it is not known. */
    static CelType result(String function) {
        return RESULTS.getOrDefault(function, CelType.DYN);
    }

    /**
     * What a call makes.
     *
     * @param receiver what it is called on; dynamic where it is called on nothing
     * @throws CelException if the function does not take these
     */
    static CelType result(CelExpr.Call call, CelType receiver, List<CelType> args) {
        if (call.target() != null && CelAuthorizer.isFunction(call.function())) {
            CelType made = CelAuthorizer.result(call.function(), receiver, args);
            if (made == null) {
                throw noOverload(call, receiver, args);
            }
            return made;
        }
        overload(call, receiver, args);
        return switch (call.function()) {
            case "value", "orValue", "min", "max", "sum" -> receiver.inside();
            default -> result(call.function());
        };
    }

    /** Functions of which it is known what they take: the others say it when they run. */
    private static void overload(CelExpr.Call call, CelType receiver, List<CelType> args) {
        boolean member = call.target() != null;
        List<CelType> all =
                member ? Stream.concat(Stream.of(receiver), args.stream()).toList() : args;
        boolean fits = true;
        if (call.function().equals("size") && all.size() == 1) {
            fits = SIZED.contains(all.get(0).kind());
        } else if (OF_TEXTS.contains(call.function())) {
            fits = all.stream().allMatch(one -> one.kind() == Kind.STRING || one.kind() == Kind.DYN);
        }
        if (!fits) {
            throw noOverload(call, receiver, args);
        }
    }

    private static CelException noOverload(CelExpr.Call call, CelType receiver, List<CelType> args) {
        String shown = args.stream().map(CelType::toString).collect(Collectors.joining(", ", "(", ")"));
        return new CelException(
                "found no matching overload for '" + call.function() + "' applied to '"
                        + (call.target() == null ? "" : receiver + ".") + shown + "'",
                call.at());
    }
}
