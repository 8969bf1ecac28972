package dev.sro.api.resource;

/** Stub. */
public final class SpecialResource {}
