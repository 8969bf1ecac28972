package dev.sro.core.recipe.chart;

/** Archives for tests of other packages. */
public final class ChartArchives {

    private ChartArchives() {}

    /** A chart with one template. */
    public static byte[] chart(String name, String version) {
        return Fixtures.archive(
                "Chart.yaml",
                "apiVersion: v2\nname: " + name + "\nversion: " + version + "\n",
                "templates/0000-a.yaml",
                "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n");
    }
}
