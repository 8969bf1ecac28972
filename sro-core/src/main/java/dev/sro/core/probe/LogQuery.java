package dev.sro.core.probe;

/**
 * A question about the logs of one pod. Immutable.
 *
 * @param object uid of the operand that waits for it
 * @param owner by what the pods of the operand are found: its uid, or a {@link PodFacts#workload}
 * @param pod whose logs
 * @param rule what is to be found, and in which container
 * @param reached whether the operand was ready with this pod before
 */
public record LogQuery(String object, String owner, PodFacts pod, LogRule rule, boolean reached) {

    /** Matches every log: what is asked for is its end, and it is in {@link LogState#detail}. */
    public static final String END = "(?s).*";

    /** A question for the end of the log of a pod, which is not going to change any more. */
    public static LogQuery end(String object, PodFacts pod) {
        return new LogQuery(object, object, pod, new LogRule(END, ""), false);
    }
}
