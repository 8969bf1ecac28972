package dev.sro.core.cel;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The library that asks what somebody may do: {@code authorizer.group('apps').resource('deployments').check('get').allowed()}. Source: the
 * documentation of Kubernetes' library {@code authz}. Values are immutable.
 */
public final class CelAuthorizer {
    /**
     * Who answers. Implementations are as thread-safe as those who evaluate need them.
     */
    @FunctionalInterface
    public interface Rights {
        /** Whether it is allowed, and why. */
        Decision decide(Question question);
    }

    /**
     * What is asked.
     *
     * @param account namespace and name, with a slash between them, of the service account whose rights are meant; empty for those of who makes
     *     the request
     * @param verb in small letters
     * @param path of a request that is for no resource; empty for resources
     * @param group API group; empty for the core group
     * @param resource plural name
     * @param subresource empty if there is none
     * @param namespace empty for all of them, and for what is in none
     * @param name empty for all of them
     */
    public record Question(
            String account,
            String verb,
            String path,
            String group,
            String resource,
            String subresource,
            String namespace,
            String name) {}

    /**
     * An answer.
     *
     * @param reason may be empty
     */
    public record Decision(boolean allowed, String reason) {}

    private static final String PACKAGE = "kubernetes.authorization.";
    private static final Pattern NAME = Pattern.compile("[a-z0-9]([-a-z0-9]*[a-z0-9])?");

    /** The type of {@code authorizer}. */
    public static final CelType AUTHORIZER = type("Authorizer");

    /** The type of what is asked about a resource. */
    public static final CelType RESOURCE_CHECK = type("ResourceCheck");

    private static final CelType PATH_CHECK = type("PathCheck");
    private static final CelType GROUP_CHECK = type("GroupCheck");
    private static final CelType DECISION = type("Decision");

    /** What a function is called on, how many texts it takes, and what it makes. */
    private record Function(List<CelType> receivers, int texts, CelType result) {}

    private static final Map<String, Function> FUNCTIONS = Map.ofEntries(
            Map.entry("path", new Function(List.of(AUTHORIZER), 1, PATH_CHECK)),
            Map.entry("group", new Function(List.of(AUTHORIZER), 1, GROUP_CHECK)),
            Map.entry("serviceAccount", new Function(List.of(AUTHORIZER), 2, AUTHORIZER)),
            Map.entry("resource", new Function(List.of(GROUP_CHECK), 1, RESOURCE_CHECK)),
            Map.entry("subresource", new Function(List.of(RESOURCE_CHECK), 1, RESOURCE_CHECK)),
            Map.entry("namespace", new Function(List.of(RESOURCE_CHECK), 1, RESOURCE_CHECK)),
            Map.entry("name", new Function(List.of(RESOURCE_CHECK), 1, RESOURCE_CHECK)),
            Map.entry("fieldSelector", new Function(List.of(RESOURCE_CHECK), 1, RESOURCE_CHECK)),
            Map.entry("labelSelector", new Function(List.of(RESOURCE_CHECK), 1, RESOURCE_CHECK)),
            Map.entry("check", new Function(List.of(PATH_CHECK, RESOURCE_CHECK), 1, DECISION)),
            Map.entry("allowed", new Function(List.of(DECISION), 0, CelType.BOOL)),
            Map.entry("reason", new Function(List.of(DECISION), 0, CelType.STRING)),
            Map.entry("errored", new Function(List.of(DECISION), 0, CelType.BOOL)),
            Map.entry("error", new Function(List.of(DECISION), 0, CelType.STRING)));

    private CelAuthorizer() {}

    private static CelType type(String name) {
        return CelType.object(PACKAGE + name, field -> null);
    }

    /** The value of {@code authorizer}. */
    public static Object of(Rights rights) {
        return new Asking(rights, AUTHORIZER, Map.of());
    }

    /** The value of {@code authorizer.requestResource}: the question that the request itself is. */
    public static Object of(Rights rights, Question resource) {
        return new Asking(
                rights,
                RESOURCE_CHECK,
                Map.of(
                        "group", resource.group(),
                        "resource", resource.resource(),
                        "subresource", resource.subresource(),
                        "namespace", resource.namespace(),
                        "name", resource.name()));
    }

    static boolean isFunction(String name) {
        return FUNCTIONS.containsKey(name);
    }

    /** What a function makes; null if it does not take these. */
    static @Nullable CelType result(String name, CelType receiver, List<CelType> arguments) {
        Function function = Objects.requireNonNull(FUNCTIONS.get(name));
        boolean fits =
                (receiver.kind() == CelType.Kind.DYN || function.receivers().contains(receiver))
                        && arguments.size() == function.texts()
                        && arguments.stream().allMatch(one -> one.mayBe(CelType.STRING));
        return fits ? function.result() : null;
    }

    static boolean isValue(@Nullable Object value) {
        return value instanceof Asking || value instanceof Decision;
    }

    /** Calls a function on a value of this library, which is the first argument. */
    static Object call(String name, List<@Nullable Object> arguments) {
        Function function = FUNCTIONS.get(name);
        Object target = arguments.get(0);
        if (function == null || arguments.size() != function.texts() + 1) {
            throw CelException.noOverload();
        }
        if (target instanceof Decision decision && function.receivers().contains(DECISION)) {
            return switch (name) {
                case "allowed" -> decision.allowed();
                case "reason" -> decision.reason();
                case "errored" -> false;
                default -> "";
            };
        }
        if (target instanceof Asking asking && function.receivers().contains(asking.type())) {
            return asking.call(
                    name, function.result(), text(arguments.get(1)), text(arguments.get(arguments.size() - 1)));
        }
        throw CelException.noOverload();
    }

    private static String text(@Nullable Object value) {
        if (value instanceof String text) {
            return text;
        }
        throw CelException.noOverload();
    }

    private static String given(String value, String what) {
        if (value.isBlank()) {
            throw new CelException(what + " must not be empty");
        }
        return value;
    }

    /**
     * A question that is not yet whole.
     *
     * @param parts what is known of it, by the functions that say it
     */
    private record Asking(Rights rights, CelType type, Map<String, String> parts) {
        Object call(String name, CelType result, String first, String last) {
            return switch (name) {
                case "check" -> rights.decide(question(first));
                // Roles know nothing of selectors.
                case "fieldSelector", "labelSelector" -> this;
                case "serviceAccount" -> with(result, name, account(first, last));
                case "path", "resource" -> with(result, name, given(first, name));
                default -> with(result, name, first);
            };
        }

        private Asking with(CelType next, String part, String value) {
            Map<String, String> more = new HashMap<>(parts);
            more.put(part, value);
            return new Asking(rights, next, Map.copyOf(more));
        }

        private Question question(String verb) {
            return new Question(
                    part("serviceAccount"),
                    verb,
                    part("path"),
                    part("group"),
                    part("resource"),
                    part("subresource"),
                    part("namespace"),
                    part("name"));
        }

        private String part(String name) {
            return parts.getOrDefault(name, "");
        }

        private static String account(String namespace, String name) {
            for (String part : name.split("\\.", -1)) {
                if (!NAME.matcher(part).matches()) {
                    throw new CelException("Invalid service account name");
                }
            }
            if (!NAME.matcher(namespace).matches()) {
                throw new CelException("Invalid service account namespace");
            }
            return namespace + "/" + name;
        }
    }
}
