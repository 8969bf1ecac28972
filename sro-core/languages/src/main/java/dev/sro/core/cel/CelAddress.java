package dev.sro.core.cel;

import com.google.re2j.Pattern;

/** Recognises IP addresses. Stateless. */
final class CelAddress {

    private static final int GROUPS = 8;

    private static final Pattern V4 =
            Pattern.compile("^((25[0-5]|2[0-4][0-9]|1?[0-9]?[0-9])\\.){3}(25[0-5]|2[0-4][0-9]|1?[0-9]?[0-9])$");

    private CelAddress() {}

    static boolean isAddress(String text) {
        return isV4(text) || (text.contains(":") && isV6(text));
    }

    private static boolean isV4(String text) {
        return V4.matcher(text).find();
    }

    private static boolean isV6(String text) {
        int gap = text.indexOf("::");
        if (gap != text.lastIndexOf("::")) {
            return false;
        }
        int count = 0;
        for (String group : text.replace("::", ":").split(":", -1)) {
            if (!group.isEmpty()) {
                if (!group.matches("[0-9a-fA-F]{1,4}") && !isV4(group)) {
                    return false;
                }
                count += group.contains(".") ? 2 : 1;
            }
        }
        return gap >= 0 ? count < GROUPS : count == GROUPS;
    }
}
