package dev.sro.core.recipe;

import dev.sro.core.model.MetadataKeys;
import dev.sro.core.recipe.chart.ChartStep;
import java.util.Locale;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;

/** Names of states that are made of the files of a chart, and what templates are told of the cluster. Stateless. */
final class ChartStates {

    /** Of the state with all that no numbered file brings. */
    static final String LAST = "9999-" + ChartStep.LAST;

    private static final int MAX_ID = 63;

    private ChartStates() {}

    /** Four digits, a dash and what of the file's name a state's id can have. */
    static String id(String file, Set<String> taken) {
        String number = file.substring(0, 4);
        String name = file.substring(5).toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-");
        String clean = name.replaceAll("^-+|-+$", "");
        String id = MetadataKeys.fit(number + "-" + (clean.isEmpty() ? "state" : clean), MAX_ID);
        for (int i = 2; !taken.add(id); i++) {
            id = MetadataKeys.fit(number + "-" + (clean.isEmpty() ? "state" : clean) + "-" + i, MAX_ID);
        }
        return id;
    }

    /** As Helm lists them: each version of a group, and each kind in it. */
    static SortedSet<String> apiVersions(Set<String> servedKinds) {
        SortedSet<String> versions = new TreeSet<>(servedKinds);
        servedKinds.forEach(kind -> versions.add(kind.substring(0, kind.lastIndexOf('/'))));
        return versions;
    }
}
