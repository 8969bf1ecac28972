package dev.sro.runtime.gather;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.events.v1.EventList;
import io.fabric8.kubernetes.client.utils.Serialization;
import org.junit.jupiter.api.Test;

class EventLinesTest {

    /** The first as kube-scheduler and SRO write them, the next two as kubelet 1.36 does, the last one of nobody's form. */
    @Test
    void areInTheOrderOfTimeWhoeverWroteThem() {
        EventList events = Serialization.unmarshal("""
            apiVersion: events.k8s.io/v1
            kind: EventList
            items:
            - {metadata: {name: d}, type: Warning, reason: ContainerFailed, note: it broke, eventTime: "2026-11-29T21:20:39.385850Z",
               series: {count: 3, lastObservedTime: "2026-11-29T21:25:00.000000Z"}, regarding: {kind: SpecialResource, name: gpu}}
            - {metadata: {name: b}, type: Normal, reason: BackOff, note: Back-off pulling image, deprecatedCount: 2,
               deprecatedFirstTimestamp: "2026-11-29T21:20:45Z", deprecatedLastTimestamp: "2026-11-29T21:21:10Z",
               regarding: {kind: Pod, name: driver}}
            - {metadata: {name: a}, type: Normal, reason: Pulling, note: Pulling image, deprecatedCount: 1,
               deprecatedFirstTimestamp: "2026-11-29T21:20:40Z", deprecatedLastTimestamp: "2026-11-29T21:20:40Z",
               regarding: {kind: Pod, name: driver}}
            - {metadata: {name: c, creationTimestamp: "2026-11-29T21:22:00Z"}, type: Normal, reason: Odd, note: without a time}
            """, EventList.class);

        assertThat(EventLines.of(events.getItems()))
                .containsExactly(
                        "2026-11-29T21:20:40Z\tNormal\tPulling\tPod driver\tPulling image",
                        "2026-11-29T21:21:10Z\tNormal\tBackOff\tPod driver\tBack-off pulling image (2 times since"
                                + " 2026-11-29T21:20:45Z)",
                        "2026-11-29T21:22:00Z\tNormal\tOdd\t\twithout a time",
                        "2026-11-29T21:25:00Z\tWarning\tContainerFailed\tSpecialResource gpu\tit broke (3 times since"
                                + " 2026-11-29T21:20:39Z)");
    }
}
