package dev.sro.core.model;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class DockerfileImagesTest {

    private static final ImageMirrors MIRRORS =
            ImageMirrors.parse("docker.io=mirror.example:5000/hub,quay.io/centos=mirror.example:5000/centos");

    @Test
    void theImagesOfFromLinesComeFromMirrors() {
        String dockerfile = """
            # FROM alpine
            ARG VERSION
            FROM docker.io/library/ubuntu:$VERSION AS Base
            FROM --platform=linux/amd64 quay.io/centos/centos:stream9 as other
            from alpine:3.22@sha256:abc
            FROM base AS builder
            FROM sro-$FAMILY AS third
            FROM $IMAGE
            FROM ${IMAGE:-alpine}
            FROM registry.example/x:1
            FROM scratch
            RUN echo FROM docker.io/x
            """;

        assertThat(DockerfileImages.mirrored(dockerfile, MIRRORS)).isEqualTo("""
            # FROM alpine
            ARG VERSION
            FROM mirror.example:5000/hub/library/ubuntu:$VERSION AS Base
            FROM --platform=linux/amd64 mirror.example:5000/centos/centos:stream9 as other
            from mirror.example:5000/hub/library/alpine:3.22@sha256:abc
            FROM base AS builder
            FROM sro-$FAMILY AS third
            FROM $IMAGE
            FROM ${IMAGE:-alpine}
            FROM registry.example/x:1
            FROM scratch
            RUN echo FROM docker.io/x
            """);
    }

    @Test
    void withoutMirrorsNothingChanges() {
        assertThat(DockerfileImages.mirrored("FROM a\r\n", ImageMirrors.NONE)).isEqualTo("FROM a\r\n");
    }
}
