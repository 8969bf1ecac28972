package dev.sro.core.plugin;

/** Sources of PF4J life-cycle classes. */
final class LifeCycles {

    private LifeCycles() {}

    /** Logs "start CLASS" and "stop CLASS". */
    static String source(String className, Hosts hosts) {
        return source(className, hosts.logStatement("start " + className), hosts.logStatement("stop " + className));
    }

    static String source(String className, String start, String stop) {
        int dot = className.lastIndexOf('.');
        return """
                package %s;
                public class %s extends org.pf4j.Plugin {
                    public void start() { %s }
                    public void stop() { %s }
                }
                """.formatted(className.substring(0, dot), className.substring(dot + 1), start, stop);
    }
}
