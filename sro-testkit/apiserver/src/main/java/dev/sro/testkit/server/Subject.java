package dev.sro.testkit.server;

import java.util.ArrayList;
import java.util.List;

/**
 * Whose rights are looked at.
 *
 * @param user name
 * @param groups all of them, those that the server adds too
 */
record Subject(String user, List<String> groups) {
    static final String ACCOUNT = "system:serviceaccount:";
    private static final String AUTHENTICATED = "system:authenticated";

    Subject {
        groups = List.copyOf(groups);
    }

    /** The user of a request that is made in somebody's name. */
    static Subject of(ApiRequest.Identity identity) {
        List<String> groups = new ArrayList<>(identity.groups());
        if (groups.isEmpty() && identity.user().startsWith(ACCOUNT)) {
            String[] parts = identity.user().split(":", -1);
            groups.add("system:serviceaccounts");
            groups.add("system:serviceaccounts:" + parts[2]);
        }
        if (!groups.contains(AUTHENTICATED) && !identity.user().equals("system:anonymous")) {
            groups.add(AUTHENTICATED);
        }
        return new Subject(identity.user(), groups);
    }

    boolean isAuthenticated() {
        return groups.contains(AUTHENTICATED);
    }

    boolean isMaster() {
        return groups.contains("system:masters");
    }
}
