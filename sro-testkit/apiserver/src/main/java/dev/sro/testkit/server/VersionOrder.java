package dev.sro.testkit.server;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The order of API versions: v2 after v1 after v1beta1 after v1alpha1, all others before these by name. */
final class VersionOrder {
    private static final Pattern FORM = Pattern.compile("v(\\d+)(?:(alpha|beta)(\\d+))?");

    private VersionOrder() {}

    static int compare(String a, String b) {
        Matcher ma = FORM.matcher(a);
        Matcher mb = FORM.matcher(b);
        boolean fa = ma.matches();
        boolean fb = mb.matches();
        if (!fa || !fb) {
            return fa == fb ? b.compareTo(a) : Boolean.compare(fa, fb);
        }
        int c = Integer.compare(stage(ma), stage(mb));
        if (c == 0) {
            c = Integer.compare(number(ma, 1), number(mb, 1));
        }
        return c == 0 ? Integer.compare(number(ma, 3), number(mb, 3)) : c;
    }

    private static int stage(Matcher m) {
        return m.group(2) == null ? 2 : m.group(2).equals("beta") ? 1 : 0;
    }

    private static int number(Matcher m, int group) {
        return m.group(group) == null ? 0 : Integer.parseInt(m.group(group));
    }
}
