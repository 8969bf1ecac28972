package dev.sro.runtime.slices;

import dev.sro.core.claim.FleetStatus;
import dev.sro.core.claim.PodExplanation;
import dev.sro.core.dra.PublishedFleet;
import dev.sro.runtime.SafeOutput;
import dev.sro.runtime.waiting.ExplanationText;
import java.util.ArrayList;
import java.util.List;

/** The state of a cluster, and why a pod waits, for people. Stateless. */
final class FleetText {
    private static final int PERCENT = 100;

    private FleetText() {}

    static String text(FleetStatus status) {
        StringBuilder text = new StringBuilder();
        if (status.gpus().isEmpty()) {
            text.append("no node publishes GPUs: is the agent installed, and does it run?\n");
        } else {
            text.append(Output.table(gpus(status))).append('\n').append(Output.table(profiles(status)));
        }
        status.unknown().forEach(name -> text.append("not known: ").append(name).append('\n'));
        if (!status.waiting().isEmpty()) {
            text.append('\n');
            List<List<String>> rows = new ArrayList<>();
            rows.add(List.of("WAITING", "WHY"));
            status.waiting().forEach(pod -> rows.add(List.of(pod.pod(), pod.summary())));
            text.append(Output.table(rows));
        }
        return text.toString();
    }

    private static List<List<String>> gpus(FleetStatus status) {
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of("NODE", "GPU", "MODEL", "UNITS", "HAS", "ROOM FOR"));
        for (FleetStatus.GpuStatus one : status.gpus()) {
            PublishedFleet.Gpu gpu = one.gpu();
            List<String> room = new ArrayList<>();
            one.fits().forEach((profile, count) -> room.add(count + " x " + profile));
            List<String> has = gpu.uses().stream()
                    .map(use -> use.holder() + " " + (use.profile().isEmpty() ? "whole" : use.profile()))
                    .toList();
            String fits = room.isEmpty() ? gpu.closed() ? "nothing" : "full" : String.join(" or ", room);
            List<String> notes = new ArrayList<>();
            if (gpu.closedUnits() > 0) {
                notes.add(
                        gpu.closedUnits() == gpu.model().memoryUnits()
                                ? "closed"
                                : gpu.closedUnits() + " units closed or foreign");
            }
            one.cordon().ifPresent(reason -> notes.add("cordoned: " + reason));
            gpu.taints().forEach(taint -> notes.add("taint " + taint));
            rows.add(List.of(
                    gpu.node(),
                    gpu.address(),
                    gpu.model().key(),
                    gpu.usedUnits() + "/" + gpu.model().memoryUnits(),
                    has.isEmpty() ? "-" : String.join(", ", has),
                    notes.isEmpty() ? fits : fits + " (" + String.join(", ", notes) + ")"));
        }
        return rows;
    }

    private static List<List<String>> profiles(FleetStatus status) {
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of("MODEL", "PROFILE", "TAKEN", "FREE", "REARRANGED", "FRAGMENTED"));
        for (FleetStatus.ProfileStatus profile : status.profiles()) {
            rows.add(List.of(
                    profile.model(),
                    profile.profile(),
                    String.valueOf(profile.used()),
                    String.valueOf(profile.free()),
                    String.valueOf(profile.rearranged()),
                    Math.round(profile.fragmentation() * PERCENT) + "%"));
        }
        return rows;
    }

    /** A pod, with all that is known of why it waits. */
    static String text(PodExplanation pod) {
        StringBuilder text = new StringBuilder(
                "pod " + SafeOutput.oneLine(pod.pod()) + ": " + ExplanationText.word(pod.state()) + "\n");
        ExplanationText.lines(pod)
                .forEach(line ->
                        text.append("  ").append(SafeOutput.oneLine(line)).append('\n'));
        if (pod.waits() && !pod.asks().isEmpty()) {
            text.append("\nasks for\n");
            pod.asks()
                    .forEach(line ->
                            text.append("  ").append(SafeOutput.oneLine(line)).append('\n'));
        }
        if (pod.waits() && !pod.has().isEmpty()) {
            text.append("\nhas\n");
            pod.has()
                    .forEach(line ->
                            text.append("  ").append(SafeOutput.oneLine(line)).append('\n'));
        }
        if (!pod.nodes().isEmpty()) {
            List<List<String>> rows = new ArrayList<>();
            rows.add(List.of("NODE", "ANSWER", "FREE", "WHY"));
            pod.nodes()
                    .forEach(node -> rows.add(List.of(
                            node.node() + (node.node().equals(pod.nearest()) ? " (nearest)" : ""),
                            ExplanationText.word(node.verdict()),
                            node.freeUnits() + "/" + node.units(),
                            node.text())));
            text.append('\n').append(Output.table(rows));
        }
        return text.toString();
    }
}
