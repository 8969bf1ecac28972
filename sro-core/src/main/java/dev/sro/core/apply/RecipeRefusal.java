package dev.sro.core.apply;

import dev.sro.core.model.RecipeAccount;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What the API server's refusal of a recipe's write means, for whoever grants rights. Stateless. */
final class RecipeRefusal {

    /** Of the API server: {@code apiserver/pkg/endpoints/handlers/responsewriters/errors.go}. */
    private static final Pattern DENIED = Pattern.compile(
            "User \"([^\"]+)\" cannot (\\S+) resource \"([^\"]+)\" in API group \"([^\"]*)\"(?: in the namespace"
                    + " \"([^\"]+)\"| at the cluster scope)?");

    /** Of the API server: {@code apiserver/pkg/endpoints/filters/impersonation.go}. */
    private static final String IMPERSONATE = "impersonate";

    private static final String FIX = "sro rbac --for special-resource.yaml --apply";

    private RecipeRefusal() {}

    /** The same for any other reason; with account, right and fix where the account, or SRO for it, lacks a right. */
    static WriteException explain(RecipeAccount account, WriteException e) {
        String message = String.valueOf(e.getMessage());
        boolean escalates = message.contains("attempting to grant RBAC permissions not currently held");
        Matcher denied = DENIED.matcher(message);
        boolean found = denied.find();
        if (e.kind() != WriteException.Kind.FORBIDDEN || (!found && !escalates)) {
            return e;
        }
        if (found && denied.group(2).equals(IMPERSONATE)) {
            return new WriteException(
                    WriteException.Kind.FORBIDDEN_TO_RECIPE,
                    "SRO may not act as " + account + "; grant it: " + FIX + " (" + message + ")",
                    e.retryAfter(),
                    e);
        }
        String right = escalates
                ? "may not grant what it has not itself"
                : "may not " + denied.group(2) + " " + resource(denied) + where(denied);
        return new WriteException(
                WriteException.Kind.FORBIDDEN_TO_RECIPE,
                account + " " + right + "; if the recipe shall: " + FIX + " (" + message + ")",
                e.retryAfter(),
                e);
    }

    private static String resource(Matcher denied) {
        return denied.group(3) + (denied.group(4).isEmpty() ? "" : "." + denied.group(4));
    }

    private static String where(Matcher denied) {
        return denied.group(5) == null ? " at the cluster scope" : " in namespace " + denied.group(5);
    }
}
