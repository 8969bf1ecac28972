package dev.sro.core.model;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.FileSystemLoopException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;

/** What to say of a file that cannot be read, in words of people who write no Java. Stateless. */
public final class FileErrors {

    private FileErrors() {}

    /** Why, as what follows a colon or stands in brackets. */
    public static String text(Exception failure) {
        Throwable why =
                failure instanceof UncheckedIOException && failure.getCause() != null ? failure.getCause() : failure;
        if (why instanceof NoSuchFileException) {
            return "there is no such file";
        }
        if (why instanceof AccessDeniedException) {
            return "access is denied";
        }
        if (why instanceof NotDirectoryException) {
            return "it is no directory";
        }
        if (why instanceof FileSystemLoopException) {
            return "its links lead round in a circle";
        }
        if (why instanceof CharacterCodingException) {
            return "it is not UTF-8";
        }
        if (why instanceof FileSystemException of && of.getReason() != null) {
            return of.getReason();
        }
        String message = why.getMessage();
        return why instanceof IOException
                        && message != null
                        && !message.isBlank()
                        && !(why instanceof FileSystemException)
                ? message
                : "it cannot be read";
    }
}
