/**
 * Logins over HTTP: the headers of requests, cookies, and the handler that puts a login before web pages. What is
 * served afterwards is not known here.
 */
@NullMarked
package io.skep.authentication.http;

import org.jspecify.annotations.NullMarked;
