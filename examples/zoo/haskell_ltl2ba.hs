{-# LANGUAGE FlexibleInstances #-}
-- Reads a formula a line in Spot's syntax, with a parenthesis around each operand. Prints the Büchi
-- automaton of Haskell's ltl2ba in HOA.
module Main where

import BA
import Data.List
import Data.Maybe
import qualified Data.Map.Strict as Map
import qualified Data.Set as Set
import LTL
import Parser
import System.IO

main :: IO ()
main = do
  hSetBuffering stdout LineBuffering
  interact (unlines . concatMap (hoa . parseString . constants . parenthesis) . lines)
  where
    parenthesis line = "(" ++ line ++ ")"

constants :: String -> String
constants ('(' : '1' : ')' : rest) = "true" ++ constants rest
constants ('(' : '0' : ')' : rest) = "false" ++ constants rest
constants (c : rest) = c : constants rest
constants [] = []

hoa :: TFormula String -> [String]
hoa f =
  ["HOA: v1", "Start: " ++ number start, unwords ("AP:" : show (length props) : map show props)]
    ++ ["Acceptance: 1 Inf(0)", "--BODY--"]
    ++ concatMap state states
    ++ ["--END--"]
  where
    AltAutomaton letters reachable start edges accepting = alt2ba (automaton f)
    states = nub (start : reachable)
    props = nub (atomics f)
    number s = show (fromJust (elemIndex s states))
    state s =
      unwords ("State:" : number s : ["{0}" | s `elem` accepting])
        : ["[" ++ label l ++ "] " ++ number to | l <- Set.elems letters, to <- successors s l, to `elem` states]
    label l = intercalate "&" ("t" : [['!' | p `Set.notMember` l] ++ show i | (i, p) <- zip [0 :: Int ..] props])
    -- The formula of an edge is a single clause: alt2ba makes no others.
    successors s l = case Map.lookup s edges of
      Just formula | PBFormula [to] <- formula l -> to
      Nothing -> []
